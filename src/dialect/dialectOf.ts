import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { Dialect, DialectIn } from './dialect.ts';
import { foldRows } from './foldRows.ts';
import type { FeatureGates } from './gates/gateTable.ts';
import { withGates } from './gates/withGates.ts';
import { modeTable } from './modeTable.ts';
import { planTable } from './plan/planTable.ts';
import type { KubeVersion } from './version.ts';

/** What a kube-proxy version decides and writes in a mode, with the feature gates that were set. A version beyond the newest row is taken as the newest. */
export function dialectOf<M extends ProxyMode>(
  mode: M,
  version: KubeVersion,
  gates?: FeatureGates,
): { [K in M]: DialectIn<K> }[M];
export function dialectOf(mode: ProxyMode, version: KubeVersion, gates: FeatureGates = {}): Dialect {
  return withGates(dialectByDefault(mode, version), version, gates);
}

function dialectByDefault(mode: ProxyMode, version: KubeVersion): Dialect {
  const spelling = foldRows<Dialect['spelling']>(modeTable(mode), version, mode);
  return { mode, plan: foldRows(planTable, version, mode), spelling } as Dialect;
}
