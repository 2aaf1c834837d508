import type { Origin } from '../../../diagnostics/diagnostic.ts';

export type FlowProtocol = 'tcp' | 'udp';

/** Where traffic of one protocol enters Services and where it may go, from manifests or from a dump. */
export interface FlowServices {
  /** `10.96.0.10 53`; `* 30053` for a node port. */
  readonly entrances: ReadonlyMap<string, FlowEntrance>;
  /** Addresses at which node ports are open, as far as they are known. */
  readonly nodeAddresses: ReadonlySet<string>;
}

export interface FlowEntrance {
  readonly service: FlowService;
  /** New flows are led to endpoints: they are neither rejected nor dropped. */
  readonly isOpen: boolean;
}

/** One port of a Service. */
export interface FlowService {
  /** `namespace/name:port`; undefined: the dump does not say. */
  readonly name: string | undefined;
  readonly origin?: Origin;
  /** `10.244.1.7 53`: the live ones. */
  readonly endpoints: ReadonlySet<string>;
  /** IPVS translates, and remembers flows in its own table. */
  readonly isIpvs: boolean;
}
