import type { Family } from '../../common/addresses/family.ts';

/** What `ipvsadm -R` reads and `ipvsadm -Sn` prints, one command a line. */
export type IpvsCommand =
  /** `-A`, `-E`: all of a virtual service but its servers. */
  | { readonly kind: 'addService' | 'editService'; readonly service: ServiceSettings }
  | { readonly kind: 'deleteService'; readonly address: ServiceAddress }
  /** `-a`, `-e`. */
  | { readonly kind: 'addServer' | 'editServer'; readonly address: ServiceAddress; readonly server: RealServer }
  | {
      readonly kind: 'deleteServer';
      readonly address: ServiceAddress;
      readonly ip: string;
      readonly port: number;
    }
  /** `-C`. */
  | { readonly kind: 'clear' }
  /** `--set`; 0 leaves a value as it is. */
  | { readonly kind: 'setTimeouts'; readonly timeouts: IpvsTimeouts };

export type ServiceAddress =
  | {
      readonly kind: 'address';
      readonly protocol: 'tcp' | 'udp' | 'sctp';
      /** Canonical text. */
      readonly ip: string;
      readonly port: number;
    }
  | { readonly kind: 'mark'; readonly mark: number; readonly family: Family };

/** A virtual service without its servers. */
export interface ServiceSettings {
  readonly address: ServiceAddress;
  /** `rr`, `wlc` … */
  readonly scheduler: string;
  /** Clients stick to their server for so many seconds; the mask says which clients count as one. */
  readonly persistence?: { readonly seconds: number; readonly mask?: string };
  readonly isOnePacket?: true;
  /** Persistence engine: `sip`. */
  readonly engine?: string;
  /** Scheduler flags in the kernel's order, under its names: `mh-fallback`, `mh-port`. */
  readonly flags: readonly string[];
  /** Shown with its counters (`ipvsadm --stats`): scheduler, persistence and weights are not known, and stand for nothing. */
  readonly isCounted?: true;
}

export interface VirtualService extends ServiceSettings {
  readonly servers: readonly RealServer[];
  /** Line of the text that it was read from, from 1; absent in compiled services. */
  readonly line?: number;
}

export interface RealServer {
  /** Canonical text. */
  readonly ip: string;
  readonly port: number;
  readonly forward: 'masquerade' | 'route' | 'local' | Tunnel;
  readonly weight: number;
  readonly line?: number;
}

export interface Tunnel {
  readonly kind: 'tunnel';
  readonly type: string;
  /** gue only. */
  readonly port?: number;
  /** gue and gre: `nocsum`, `csum`, `remcsum`. */
  readonly checksum?: string;
}

/** Seconds; 0: left as it is. */
export interface IpvsTimeouts {
  readonly tcp: number;
  readonly tcpFin: number;
  readonly udp: number;
}

/** The virtual services of a kernel, or of one family of it. */
export interface IpvsState {
  readonly kind: 'ipvs';
  /** Undefined: the text says nothing of them. */
  readonly timeouts?: IpvsTimeouts;
  readonly services: readonly VirtualService[];
  /** Lines of the text could not be read, that may be of a service or a server. */
  readonly hasUnreadLines?: true;
}
