import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { KubeVersion } from '../../dialect/version.ts';

/** What kube-proxy runs as. */
export interface ProxyKind {
  readonly mode: ProxyMode;
  readonly version: KubeVersion;
}
