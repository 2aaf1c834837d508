import type { Sources } from '../../../load/sources.ts';
import type { NodeHead, NodeVerdict } from '../../../report/fleet/nodeVerdict.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';

/** The result for one node. */
export interface JudgedNode {
  /** Undefined: nothing shows which node it is. */
  readonly node: string | undefined;
  /** Undefined: it could not be judged, which was reported. */
  readonly verdict: ((head: NodeHead) => Verdict | Promise<Verdict>) | undefined;
}

/** What a command adds to the head of a node; plain data. */
export type Verdict = Omit<NodeVerdict, keyof NodeHead>;

/** A command's way to judge a node, and what it read for all of them. */
export interface NodeJudge {
  readonly judge: (entry: FleetEntry, messages: Messages) => Promise<JudgedNode>;
  readonly sources: Sources;
}
