import type { Family } from '../common/addresses/family.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';

/** What kube-proxy says about itself at `/proxyMode`, `/healthz` and `/metrics`. */
export interface ProxyFacts {
  readonly mode?: ProxyMode;
  readonly health: readonly ProxyHealth[];
  readonly syncs: readonly ProxySyncs[];
}

/** What `/healthz` says; for each family since 1.33. */
export interface ProxyHealth {
  /** Undefined: for all families together. */
  readonly family?: Family;
  /** False: changes have waited for longer than two sync periods. */
  readonly isHealthy: boolean;
  /** Seconds since the last successful sync, by kube-proxy's own clock. */
  readonly age: number;
  readonly file: string;
  readonly line: number;
}

/** What `/metrics` says about syncs; for each family since 1.33. */
export interface ProxySyncs {
  /** Undefined: for all families together. */
  readonly family?: Family;
  /** When rules were last written, and when a change last came: seconds since 1970. */
  readonly lastSync?: number;
  readonly lastQueued?: number;
  /** Restores and transactions that failed since kube-proxy started. */
  readonly failures: number;
  readonly file: string;
  readonly line: number;
}

export const noProxyFacts: ProxyFacts = { health: [], syncs: [] };
