import type { Sources } from '../../../load/sources.ts';
import type { DiffReport } from '../../../public/core.ts';
import type { IgnoreScope } from '../../../report/ignore/suppressions.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';

/** A node's findings; without a report it could not be judged, which was reported. */
export interface FoundOnNode {
  readonly node: string | undefined;
  readonly report: DiffReport | undefined;
}

/** How a command finds what is wrong with a node. */
export interface NodeFinder {
  readonly find: (entry: FleetEntry, messages: Messages) => Promise<FoundOnNode>;
  readonly sources: Sources;
  readonly scopes: readonly IgnoreScope[];
}
