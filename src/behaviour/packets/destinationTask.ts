import type { Family } from '../../common/addresses/family.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { BehaviourOptions } from '../behaviourOptions.ts';
import type { DestinationName } from './destinationNames.ts';
import type { Destination } from './destinations.ts';
import type { Senders } from './senders.ts';

/** One destination, and what it is compared with. */
export interface DestinationTask {
  readonly family: Family;
  readonly destination: Destination;
  readonly name: DestinationName;
  readonly contexts: readonly [WalkContext, WalkContext];
  readonly entrances: readonly Senders[];
  readonly options: BehaviourOptions;
}
