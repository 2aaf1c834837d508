import { formatKubeVersion } from '../../dialect/version.ts';
import type { ProxyKind } from './proxyKind.ts';

/** `nftables mode of 1.33`. */
export function proxyName({ mode, version }: ProxyKind): string {
  return `${mode} mode of ${formatKubeVersion(version)}`;
}
