import type { Flow } from './flow.ts';
import type { WalkInput, WalkRule } from './input/walkInput.ts';

/** What a walk gets in addition to the rules, and where it keeps what it learns. */
export interface WalkContext {
  readonly input: WalkInput;
  /** Milliseconds since an address was last seen, by list: keys as in `memoryKey`. */
  readonly seen: ReadonlyMap<string, number>;
  /** Milliseconds since the dump was taken. */
  readonly elapsed: number;
  /** For `-m time`. */
  readonly at?: Date;
  readonly user?: number;
  readonly notes: WalkNotes;
  /** Limits one packet and what follows it: rules that lead in circles would keep a walk busy for hours. */
  readonly work?: { steps: number };
  /** What was worked out about rules and sets; the walker keeps it. */
  readonly caches: Map<object, unknown>;
}

/** What a walk found out apart from its outcomes. It is filled while walking. */
export interface WalkNotes {
  /** Conditions with an unknown answer, by rule. */
  readonly unknown: Map<string, UnknownCondition>;
  /** Rules that match an interface of a Pod, if the packet's Pod interface was only assumed. */
  readonly unseenInterfaces: Set<WalkRule>;
  /** What was taken for granted on the way. */
  readonly assumed: Set<string>;
  readonly notes: Set<string>;
}

/** Nothing found out yet. */
export function newNotes(): WalkNotes {
  return { unknown: new Map(), unseenInterfaces: new Set(), assumed: new Set(), notes: new Set() };
}

export interface UnknownCondition {
  readonly rule?: WalkRule;
  readonly text: string;
}

/** The answer to a question: the flow, or both of its parts. */
export interface FlowPart {
  readonly flow: Flow;
  readonly holds: boolean;
}

/** `true` and `false` stand for the whole flow. */
export type Answer = boolean | readonly FlowPart[];

/** Worked out once for each key. */
export function cached<T>(context: WalkContext, key: object, make: () => T): T {
  const known = context.caches.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  context.caches.set(key, made);
  return made;
}
