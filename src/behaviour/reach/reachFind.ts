import { readParty } from '../../trace/question/readParty.ts';
import type { BehaviourOutcome } from '../outcome/outcome.ts';
import type { Reach, ReachClass, ReachRow } from './reach.ts';

/** The condition of `--find` on an outcome. */
export type Find = (outcome: BehaviourOutcome) => boolean;

/** A class that was found, with its destination address. */
export interface FoundClass {
  readonly row: ReachRow;
  readonly found: ReachClass;
}

/** Reads `dropped`, `to 10.0.0.9`, `to 10.0.0.9:80`; undefined: not such a condition. */
export function readFind(text: string): Find | undefined {
  const word = text.trim();
  const known = finds.get(word);
  if (known !== undefined) return known;
  const party = word.startsWith('to ') ? readParty(word.slice(3).trim()) : undefined;
  if (party?.kind !== 'address') return undefined;
  const { address, port } = party;
  return ({ at }) => at?.address === address && (port === undefined || at.port === port);
}

const finds: ReadonlyMap<string, Find> = new Map<string, Find>([
  ['dropped', ({ kind }) => kind === 'dropped'],
  ['refused', ({ kind }) => kind === 'refused'],
  ['answered', ({ kind }) => kind === 'arrives'],
  ['masqueraded', ({ isMasqueraded }) => isMasqueraded === true],
  ['untranslated', ({ kind }) => kind === 'leaves'],
  ['node', ({ kind }) => kind === 'node'],
  ['unroutable', ({ kind }) => kind === 'unroutable'],
  ['unknown', ({ kind }) => kind === 'unknown'],
]);

export const findWords: readonly string[] = [...finds.keys()];

/** The classes with at least one matching outcome. */
export function findReach({ rows }: Reach, asked: readonly Find[]): readonly FoundClass[] {
  return rows.flatMap((row) =>
    row.classes
      .filter(({ outcome }) => [...outcome.outcomes.values()].some((one) => asked.some((is) => is(one.outcome))))
      .map((found) => ({ row, found })),
  );
}
