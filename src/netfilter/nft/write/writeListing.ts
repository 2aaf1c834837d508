import type { NftRuleset } from '../ast.ts';
import { writeTable } from './writeTable.ts';

/** What `nft list ruleset` prints, in pieces. */
export function* writeListing(ruleset: NftRuleset, isNumeric = false): Generator<string> {
  for (const table of ruleset.tables) {
    yield* writeTable(table, isNumeric);
  }
}
