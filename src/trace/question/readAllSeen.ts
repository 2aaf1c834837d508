import type { Seen } from '../tracer.ts';
import type { AskProblem } from './askProblem.ts';
import { readSeen } from './readSeen.ts';

/** Reads what `--seen` and the key `seen` of a batch say; undefined: one cannot be read. */
export function readAllSeen(texts: readonly string[]): readonly Seen[] | AskProblem {
  const seen: Seen[] = [];
  for (const text of texts) {
    const one = readSeen(text);
    if (one === undefined)
      return { kind: 'problem', message: `--seen ${text}: write ADDRESS=LIST@AGE, as 10.0.0.1=KUBE-SEP-X@2.1s` };
    seen.push(one);
  }
  return seen;
}
