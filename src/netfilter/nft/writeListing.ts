import type { NftRuleset } from './ast.ts';
import { writeTable } from './writeTable.ts';

/** What `nft list ruleset` prints, in pieces (a chain or a set each). */
export function* writeListing(ruleset: NftRuleset, isNumeric = false): Generator<string> {
  for (const table of ruleset.tables) {
    yield* writeTable(table, isNumeric);
  }
}
