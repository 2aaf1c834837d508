import type { Origin } from '../../diagnostics/diagnostic.ts';

/** Where UDP traffic enters Services and where it may go, of manifests or of a dump. */
export interface UdpServices {
  /** `10.96.0.10 53`, and `* 30053` for a node port. */
  readonly entrances: ReadonlyMap<string, UdpEntrance>;
  /** Addresses at which node ports are open, as far as they are known. */
  readonly nodeAddresses: ReadonlySet<string>;
}

export interface UdpEntrance {
  readonly service: UdpService;
  /** New flows are led to endpoints: they are neither refused nor dropped. */
  readonly isOpen: boolean;
}

/** One UDP port of a Service. */
export interface UdpService {
  /** `namespace/name:port`; undefined: the dump does not say. */
  readonly name: string | undefined;
  readonly origin?: Origin;
  /** `10.244.1.7 53`: those that are alive. */
  readonly endpoints: ReadonlySet<string>;
  /** IPVS translates, and remembers flows in a table of its own. */
  readonly isIpvs: boolean;
}
