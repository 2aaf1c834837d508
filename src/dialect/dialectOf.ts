import type { ProxyMode } from '../common/proxyMode.ts';
import type { Dialect } from './dialect.ts';
import { foldRows } from './foldRows.ts';
import type { FeatureGates } from './gates/gateTable.ts';
import { withGates } from './gates/withGates.ts';
import { iptablesTable } from './iptables/iptablesTable.ts';
import { ipvsTable } from './ipvs/ipvsTable.ts';
import { nftablesTable } from './nftables/nftablesTable.ts';
import { planTable } from './plan/planTable.ts';
import { userspaceTable } from './userspace/userspaceTable.ts';
import type { KubeVersion } from './version.ts';

/** What a kube-proxy version decides and writes in a mode, with the feature gates that were set. A version beyond the newest row is taken as the newest. */
export function dialectOf<M extends ProxyMode>(
  mode: M,
  version: KubeVersion,
  gates?: FeatureGates,
): Extract<Dialect, { mode: M }>;
export function dialectOf(mode: ProxyMode, version: KubeVersion, gates: FeatureGates = {}): Dialect {
  return withGates(dialectByDefault(mode, version), version, gates);
}

function dialectByDefault(mode: ProxyMode, version: KubeVersion): Dialect {
  const plan = foldRows(planTable, version, mode);
  switch (mode) {
    case 'iptables':
      return { mode, plan, spelling: foldRows(iptablesTable, version, mode) };
    case 'ipvs':
      return { mode, plan, spelling: foldRows(ipvsTable, version, mode) };
    case 'nftables':
      return { mode, plan, spelling: foldRows(nftablesTable, version, mode) };
    case 'userspace':
      return { mode, plan, spelling: foldRows(userspaceTable, version, mode) };
  }
}
