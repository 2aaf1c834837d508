import type { ProxyMode } from '../common/proxy/proxyMode.ts';

/** What is known of the kube-proxy that reads a KubeProxyConfiguration. */
export interface ReadingProxy {
  /** What the command line says; it wins over the object's own mode. */
  readonly mode: ProxyMode | undefined;
  /** Words that nodePortAddresses takes: `primary` alone since 1.31, `localhost` and `all` too, in any mixture, since 1.37. */
  readonly nodePortWords: 'none' | 'primaryAlone' | 'any';
  /** It has userspace mode: before 1.26. */
  readonly hasUserspaceMode: boolean;
}

/** Of which nothing was said. */
export const newestProxy: ReadingProxy = { mode: undefined, nodePortWords: 'any', hasUserspaceMode: false };
