import type { ObjectStore } from '../follow/objectStore.ts';
import type { NodeText } from '../part/knownTexts.ts';
import type { Judgement, JudgeRequest } from './judgement.ts';

/** What was compared to get an answer. */
export type Scope = 'nothing' | 'services' | 'node';

/** What a request is: a whole node, one of many portions of it, or a few Services. */
export type JudgedPart = 'node' | 'portion' | 'services';

/** A node as it is, and how it is judged. */
export interface ComparedNode {
  readonly node: string;
  readonly store: ObjectStore;
  readonly files: readonly NodeText[];
  /** Services that changed too recently to be judged. */
  readonly changing: ReadonlySet<string>;
  /** By the clock that only rises, in milliseconds. */
  readonly at: number;
  readonly judge: (request: JudgeRequest, of: JudgedPart) => Promise<Judgement>;
}
