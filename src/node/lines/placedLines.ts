import type { RuleChain } from '../ruleChain.ts';
import { type DumpPlace, linesOf, placeOf } from './chainLines.ts';

/** A rule or a member, and where it is in the dump; compiled ones have no place. */
export interface PlacedLine {
  readonly text: string;
  readonly place?: DumpPlace;
}

/** The lines of a chain, in their order. */
export function placedLines(chain: RuleChain): readonly PlacedLine[] {
  return linesOf(chain).map((text, at) => placedLine(chain, at, text));
}

export function placedLine(chain: RuleChain, at: number, text: string): PlacedLine {
  const place = placeOf(chain, at);
  return place.line === 0 ? { text } : { text, place };
}
