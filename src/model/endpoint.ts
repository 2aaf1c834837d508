/** One `ip:port` behind a Service port. */
export interface Endpoint {
  /** As written in the slice; the plan makes it canonical for versions that do. */
  readonly ip: string;
  readonly port: number;
  /** `ip:port`, `[ip]:port` for IPv6: its identity, and what chain names hash. */
  readonly address: string;
  readonly isReady: boolean;
  readonly isServing: boolean;
  readonly isTerminating: boolean;
  /** Its nodeName is the node that is compiled for. */
  readonly isLocal: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}
