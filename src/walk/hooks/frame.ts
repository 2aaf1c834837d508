import type { Flow } from '../flow.ts';
import type { WalkChain } from '../input/walkInput.ts';

/** A place in a chain, and where the packet continues when the chain ends. */
export interface Frame {
  readonly chain: WalkChain;
  readonly at: number;
  readonly back: Frame | undefined;
  /** The rule that led here, also by a goto. */
  readonly above: Frame | undefined;
}

/** Another place in the same chain. */
export function frameAt({ chain, back, above }: Frame, at: number): Frame {
  return { chain, at, back, above };
}

/** A part of the flow that still has to be followed, and from where. */
export interface Work {
  readonly flow: Flow;
  readonly frame: Frame;
}
