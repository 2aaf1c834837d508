import type { EntranceKind } from './entrances.ts';

/** What narrows a comparison. */
export interface BehaviourOptions {
  readonly tolerance?: number;
  readonly entrances?: readonly EntranceKind[];
  /** `namespace/name`, with a port or without. */
  readonly service?: string;
  readonly state?: 'new' | 'established';
}
