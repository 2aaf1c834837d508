import type { Value } from '../common/ranges/valueRange.ts';
import type { SenderKind } from './packets/senderKinds.ts';

/** What narrows a comparison. */
export interface BehaviourOptions {
  readonly tolerance?: number;
  readonly entrances?: readonly SenderKind[];
  /** `namespace/name`, with a port or without. */
  readonly service?: string;
  readonly state?: 'new' | 'established';
  /** Only this address, and of it only this port, whether rules ask for them or not. */
  readonly to?: { readonly address: Value; readonly port: number | undefined };
  /** Only ports of Services: what else is sent to their addresses, or to others, is left out. */
  readonly isOfServicePorts?: boolean;
  /** Classes that fare alike are findings too: all that one side does, where it is compared with itself. */
  readonly keepsSame?: boolean;
  /** Walks every destination, also those that others of their shape stand for. */
  readonly walksAll?: boolean;
  /** Told after each destination how many of all are done. */
  readonly onProgress?: (done: number, all: number) => void;
}
