import type { ProxyMode } from '../common/proxyMode.ts';

/** What is known of the kube-proxy that reads a KubeProxyConfiguration. */
export interface ReadingProxy {
  /** What the command line says; it wins over the object's own mode. */
  readonly mode: ProxyMode | undefined;
  /** nodePortAddresses may be `primary`: since 1.31. */
  readonly knowsPrimary: boolean;
  /** It has userspace mode: before 1.26. */
  readonly hasUserspaceMode: boolean;
}

/** Of which nothing was said. */
export const newestProxy: ReadingProxy = { mode: undefined, knowsPrimary: true, hasUserspaceMode: false };
