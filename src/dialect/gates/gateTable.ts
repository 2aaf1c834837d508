import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { SpellingIn } from '../dialect.ts';
import type { PlanDialect } from '../plan/planDialect.ts';

/** Values of `featureGates` by name, as the configuration has them. */
export type FeatureGates = Readonly<Record<string, boolean>>;

/** A feature gate of kube-proxy that changes what it writes, or which modes it takes. */
export interface Gate {
  readonly name: string;
  /** From which version on it has a stage; in the last, `stable`, it is locked. */
  readonly stages: readonly GateStage[];
  /** The mode that kube-proxy takes with it only. */
  readonly opens?: ProxyMode;
  /** What the version does with the gate in this state. */
  readonly sets: (isOn: boolean) => {
    readonly plan?: Partial<PlanDialect>;
    readonly spelling?: { readonly [M in ProxyMode]?: Partial<SpellingIn<M>> };
  };
}

export interface GateStage {
  readonly since: string;
  readonly stage: 'alpha' | 'beta' | 'deprecated' | 'stable';
  readonly isOn: boolean;
}

/** By Kubernetes' own list of gates (KEP-2433, KEP-1860, KEP-3015, KEP-3866, KEP-5707). */
export const gateTable: readonly Gate[] = [
  {
    name: 'ServiceTrafficDistribution',
    stages: [
      { since: '1.30', stage: 'alpha', isOn: false },
      { since: '1.31', stage: 'beta', isOn: true },
      { since: '1.33', stage: 'stable', isOn: true },
    ],
    sets: (isOn) => ({ plan: { hints: isOn ? 'always' : 'any' } }),
  },
  {
    name: 'PreferSameTrafficDistribution',
    stages: [
      { since: '1.33', stage: 'alpha', isOn: false },
      { since: '1.34', stage: 'beta', isOn: true },
      { since: '1.35', stage: 'stable', isOn: true },
    ],
    sets: (isOn) => ({ plan: { honoursNodeHints: isOn } }),
  },
  {
    name: 'LoadBalancerIPMode',
    stages: [
      { since: '1.29', stage: 'alpha', isOn: false },
      { since: '1.30', stage: 'beta', isOn: true },
      { since: '1.33', stage: 'stable', isOn: true },
    ],
    sets: (isOn) => ({ plan: { honoursIpMode: isOn } }),
  },
  {
    name: 'AllowServiceExternalIPs',
    stages: [{ since: '1.36', stage: 'deprecated', isOn: true }],
    sets: (isOn) => ({ plan: { ignoresExternalIPs: !isOn } }),
  },
  {
    name: 'KubeProxyNFTablesLocalhostNodePorts',
    stages: [{ since: '1.37', stage: 'alpha', isOn: false }],
    sets: (isOn) => ({ spelling: { nftables: { localNodePorts: isOn ? 'proxied' : 'cleared' } } }),
  },
  {
    name: 'NFTablesProxyMode',
    opens: 'nftables',
    stages: [
      { since: '1.29', stage: 'alpha', isOn: false },
      { since: '1.31', stage: 'beta', isOn: true },
      { since: '1.33', stage: 'stable', isOn: true },
    ],
    sets: () => ({}),
  },
  {
    name: 'KubeProxyIPVS',
    opens: 'ipvs',
    stages: [{ since: '1.37', stage: 'deprecated', isOn: true }],
    sets: () => ({}),
  },
];
