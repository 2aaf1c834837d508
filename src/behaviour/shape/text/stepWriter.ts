import type { Value } from '../../../common/ranges/valueRange.ts';
import type { WalkChain, WalkRule } from '../../../walk/input/walkInput.ts';
import type { Place } from '../placesIn.ts';

/** Whose placeholders a text uses; endpoints of both sides are numbered together in order of appearance. */
export interface StandIns {
  readonly address: Value;
  readonly port: number | undefined;
  readonly endpoints: Map<Value, number>;
  /** Ports of endpoints, in order of appearance. */
  readonly targetPorts: Map<number, number>;
  /** Rules for all destinations name the port, where it stands for itself. */
  readonly isFixedPort: (port: number) => boolean;
  /** Other destinations that chains of the Service match: its cluster IP, if packets come by a node port. */
  readonly others: Map<Value, number>;
}

export interface StepWriter {
  readonly names: StandIns;
  readonly keepsRules: boolean;
  readonly rules: WalkRule[];
  /** Chains of the Service by name, and in the order of their numbers. */
  readonly chains: Map<string, number>;
  readonly order: WalkChain[];
  readonly lists: Map<string, number>;
  readonly written: Map<string, WrittenChain>;
  /** Networks that the rules match: endpoints inside and outside fare differently as senders. */
  readonly networks: Place[];
  /** Those of the sides before: chains with the same text there need not be read again. */
  readonly twins: readonly StepWriter[];
}

/** The text of a chain with all that it leads to, and the range of its numbers. */
interface WrittenChain {
  readonly text: string;
  readonly members: readonly WalkChain[];
  readonly before: readonly [chains: number, lists: number];
  readonly behind: readonly [chains: number, lists: number];
}
