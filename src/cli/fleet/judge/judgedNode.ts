import type { Sources } from '../../../load/sources.ts';
import type { DiffReport } from '../../../public/core.ts';
import type { IgnoreScope } from '../../../report/ignore/suppressions.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';

/** The result for one node; without a report it could not be judged, which was reported. */
export interface JudgedNode {
  /** Undefined: nothing shows which node it is. */
  readonly node: string | undefined;
  readonly report: DiffReport | undefined;
}

/** A command's way to judge a node, and what it read for all of them. */
export interface NodeJudge {
  readonly judge: (entry: FleetEntry, messages: Messages) => Promise<JudgedNode>;
  readonly sources: Sources;
  readonly scopes: readonly IgnoreScope[];
}
