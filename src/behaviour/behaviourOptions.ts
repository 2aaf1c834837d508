import type { Value } from '../common/ranges/valueRange.ts';
import type { SenderKind } from './packets/senderKinds.ts';

/** What narrows a comparison. */
export interface BehaviourOptions {
  readonly tolerance?: number;
  readonly entrances?: readonly SenderKind[];
  /** `namespace/name`, with or without a port. */
  readonly service?: string;
  readonly state?: 'new' | 'established';
  /** Only this address, and on it only this port, whether or not rules name them. */
  readonly to?: { readonly address: Value; readonly port: number | undefined };
  /** Only ports of Services: other packets, to their addresses or elsewhere, are left out. */
  readonly isOfServicePorts?: boolean;
  /** Classes with equal outcomes are findings too: everything that one side does, if it is compared with itself. */
  readonly keepsSame?: boolean;
  /** Walks every destination, including those that another of the same shape represents. */
  readonly walksAll?: boolean;
  /** Called after each destination with the number of those that are done. */
  readonly onProgress?: (done: number, all: number) => void;
}
