import type { ProxyMode } from '../../src/common/proxy/proxyMode.ts';
import type { Endpoint } from '../../src/model/endpoint.ts';
import type { NodePlan, Route, ServicePlan } from '../../src/plan/plan.ts';

/**
 * Each fact of a plan, changed alone, and the lines that may come, go or change with it in each mode; no entry of a mode:
 * none. The tables have a row for every field, so that one that is added does not compile before it stands here.
 */
export interface Variation<T> {
  readonly what: string;
  readonly vary: (own: T) => Partial<T>;
  readonly lines: Readonly<Partial<Record<ProxyMode, RegExp>>>;
}

/** What is no decision: it is spelled wherever the thing is named. */
type Variations<T> = Readonly<Record<keyof T, readonly Variation<T>[] | 'named everywhere'>>;

const marks = /KUBE-MARK-MASQ|mark set (?:meta )?mark|mark-for-masquerade/;
const sets =
  /^add KUBE-(?:6-)?(?:NODE-PORT|LOAD-BALANCER|EXTERNAL-IP)|--match-set KUBE-(?:6-)?(?:NODE-PORT|LOAD-BALANCER|EXTERNAL-IP)/;
const externalIPSets = /^add KUBE-(?:6-)?EXTERNAL-IP|--match-set KUBE-(?:6-)?EXTERNAL-IP/;
/** Frames of nft's listing go and come with what they hold. */
const frame = String.raw`^\s*(?:\}|(?:elements = \{.*)|(?:type|size|flags|timeout|comment) .*|)$`;
const nft = (...parts: readonly string[]) => new RegExp([frame, ...parts].join('|'));
const balancing = /-A KUBE-SVC-.* -j KUBE-SEP-|:KUBE-SVC-|-A KUBE-SEP-/;
const localBalancing = /(?::|-A )KUBE-(?:SVL|XLB)-/;
const servers = /^-a /;
const service = String.raw`chain service-|numgen|goto endpoint-|saddr @affinity|daddr \S+ .*mark`;
const local = String.raw`chain local-|numgen|goto endpoint-|saddr @affinity|daddr \S+ .*mark`;
const external = 'chain external-|goto (?:external|service|local)-|mark';
const elements = String.raw`^\s*(?:elements = \{ )?\S+ \. \S+ `;
const refusals = 'KUBE-(?:EXTERNAL-)?SERVICES .*(?:REJECT|DROP)';

const routes = (
  name: 'internal' | 'external' | 'externalIP',
  lines: Readonly<Record<'masquerade' | 'over' | 'kind', Variation<ServicePlan>['lines']>>,
): readonly Variation<ServicePlan>[] => {
  const of = (what: string, change: (route: Route) => Partial<Route>, own: Variation<ServicePlan>['lines']) => ({
    what: `${name}.${what}`,
    vary: (plan: ServicePlan) => ({ [name]: { ...plan[name], ...change(plan[name]) } }),
    lines: own,
  });
  const table: Readonly<Record<keyof Route, readonly Variation<ServicePlan>[]>> = {
    masquerade: (['never', 'offCluster', 'always'] as const).map((masquerade) =>
      of(`masquerade: ${masquerade}, whatever the policy`, () => ({ masquerade }), lines.masquerade),
    ),
    over: [of('over', ({ over }) => ({ over: over === 'local' ? 'cluster' : 'local' }), lines.over)],
    kind: [
      of('kind: drop', () => ({ kind: 'drop' }), lines.kind),
      of('kind: balance', () => ({ kind: 'balance' }), lines.kind),
    ],
    why: [of('why, which is a word for people', () => ({ why: 'version' }), {})],
  };
  return Object.values(table).flat();
};

export const ofService: Variations<ServicePlan> = {
  kind: 'named everywhere',
  port: 'named everywhere',
  displayName: 'named everywhere',
  protocol: 'named everywhere',
  loadBalancerIPs: [
    {
      what: 'loadBalancerIPs',
      vary: ({ loadBalancerIPs }) => ({ loadBalancerIPs: loadBalancerIPs.slice(1) }),
      lines: {
        iptables: /192\.0\.14\.|2001:db8:1b:b:|KUBE-FW-/,
        nftables: nft(String.raw`192\.0\.14\.|2001:db8:1b:b:`, elements, 'firewall', 'saddr'),
        ipvs: /192\.0\.14\.|2001:db8:1b:b:|KUBE-(?:6-)?LOAD-BALANCER|KUBE-LOAD-BALANCER|KUBE-SOURCE-RANGES/,
      },
    },
  ],
  externalIPs: [
    {
      what: 'externalIPs',
      vary: ({ externalIPs }) => ({ externalIPs: externalIPs.slice(1) }),
      lines: {
        iptables: /198\.18\.11\.|2001:db8:e:b:/,
        nftables: nft(String.raw`198\.18\.11\.|2001:db8:e:b:`),
        ipvs: /198\.18\.11\.|2001:db8:e:b:|--match-set KUBE-(?:6-)?EXTERNAL-IP/,
      },
    },
  ],
  sourceRanges: [
    {
      what: 'sourceRanges',
      vary: ({ sourceRanges, port }) => ({
        sourceRanges: sourceRanges.length === 0 ? [] : [...sourceRanges, range[port.family]],
      }),
      lines: {
        iptables: /203\.0\.113\.0|2001:db8:9::/,
        nftables: nft(elements, 'saddr', 'firewall'),
        ipvs: /SOURCE-CID/,
      },
    },
  ],
  rangesAllowNode: [
    {
      what: 'rangesAllowNode',
      vary: ({ rangesAllowNode }) => ({ rangesAllowNode: !rangesAllowNode }),
      lines: {
        iptables: /^-A KUBE-FW-.* -s /,
        nftables: /firewall|saddr|^\s+(?:elements = \{ )?\S+ \. (?:tcp|udp|sctp) \. \d+ \. /,
        ipvs: /KUBE-(?:6-)?LOAD-BALANCER-SOURCE-IP|^-A KUBE-IPVS-OUT-FILTER -s /,
      },
    },
  ],
  affinitySeconds: [
    {
      what: 'affinitySeconds',
      vary: ({ affinitySeconds }) => ({ affinitySeconds: affinitySeconds === undefined ? 77 : undefined }),
      lines: {
        iptables: /KUBE-SEP-/,
        nftables: nft('affinity-', 'endpoint-', 'saddr', 'dnat', 'numgen', String.raw`^\s+\d+ : `),
        ipvs: /^-A (?:-t|-u|--sctp-service) /,
      },
    },
  ],
  all: [
    {
      what: 'all',
      vary: ({ all }) => ({ all: all.filter(({ isLocal }) => !isLocal) }),
      lines: { ipvs: /LOOP-BACK/ },
    },
  ],
  cluster: [
    {
      what: 'cluster',
      vary: ({ cluster }) => ({ cluster: cluster.slice(1) }),
      lines: { iptables: balancing, nftables: nft(service, String.raw`\d+ : `, 'dnat'), ipvs: servers },
    },
  ],
  local: [
    {
      what: 'local',
      vary: (plan) => ({ local: plan.local.slice(1) }),
      lines: { iptables: localBalancing, nftables: nft(local, String.raw`\d+ : `, 'dnat'), ipvs: servers },
    },
  ],
  sticky: [
    {
      what: 'sticky',
      vary: ({ sticky }) => ({ sticky: sticky.slice(1) }),
      lines: { iptables: /-A KUBE-SVC-.*--rcheck/ },
    },
  ],
  reachable: [
    {
      what: 'reachable',
      vary: ({ reachable, all, port }) => ({ reachable: [...reachable, anotherEndpoint(all[0], port.family)] }),
      lines: {
        iptables: /KUBE-SEP-/,
        nftables: nft('chain endpoint-', 'set affinity-', 'update @affinity', 'saddr', 'dnat', elements),
      },
    },
  ],
  hasEndpoints: [
    {
      what: 'hasEndpoints',
      vary: ({ hasEndpoints }) => ({ hasEndpoints: !hasEndpoints }),
      // Without any, nothing leads to the chains of a port: they are not there.
      lines: { iptables: /KUBE-/, nftables: nft(elements, external, 'local-', 'service-', '(?:tcp|udp|sctp)') },
    },
  ],
  isExternallyAccessible: [
    {
      what: 'isExternallyAccessible',
      vary: ({ isExternallyAccessible }) => ({ isExternallyAccessible: !isExternallyAccessible }),
      lines: {
        iptables: /(?::|-A )KUBE-EXT-/,
        nftables: nft(external),
        ipvs: /192\.0\.14\.|198\.18\.11\.|2001:db8:|KUBE-|:3\d{4} |^-a /,
      },
    },
  ],
  usesClusterEndpoints: [
    {
      what: 'usesClusterEndpoints',
      vary: ({ usesClusterEndpoints }) => ({ usesClusterEndpoints: !usesClusterEndpoints }),
      lines: { iptables: balancing, nftables: nft(service, String.raw`\d+ : `, 'dnat') },
    },
  ],
  usesLocalEndpoints: [
    {
      what: 'usesLocalEndpoints',
      vary: ({ usesLocalEndpoints }) => ({ usesLocalEndpoints: !usesLocalEndpoints }),
      lines: { iptables: localBalancing, nftables: nft(local, String.raw`\d+ : `, 'dnat') },
    },
  ],
  wantsTopologyHints: [flagOf('wantsTopologyHints')],
  usesHints: [flagOf('usesHints')],
  isInternalPolicyLocal: [flagOf('isInternalPolicyLocal')],
  isExternalPolicyLocal: [flagOf('isExternalPolicyLocal')],
  internal: routes('internal', {
    masquerade: { iptables: marks, nftables: marks },
    over: {
      iptables: /-A KUBE-SERVICES .*-j KUBE-SV[CL]-|:KUBE-SV[CL]-|KUBE-MARK-MASQ/,
      nftables: nft(elements, 'mark'),
      ipvs: servers,
    },
    kind: {
      // A chain that is led to is there, if empty.
      iptables: /-A KUBE-SERVICES .*(?:-j KUBE-SV[CL]-|DROP)|:KUBE-SV[CL]-|KUBE-MARK-MASQ/,
      nftables: nft(elements, 'mark'),
    },
  }),
  external: routes('external', {
    masquerade: { iptables: marks, nftables: marks, ipvs: sets },
    over: {
      iptables: /(?::|-A )KUBE-XLB-|-A KUBE-(?:EXT|FW)-|-A KUBE-(?:NODEPORTS|SERVICES) .*-j KUBE-(?:XLB|SVC|FW)-/,
      nftables: /goto (?:local|service)-/,
      ipvs: servers,
    },
    kind: {
      iptables: new RegExp(`${refusals}|-A KUBE-EXT-`),
      nftables: nft(elements, 'goto (?:local|service)-', String.raw`(?:tcp|udp|sctp) \. \d+`),
    },
  }),
  externalIP: routes('externalIP', {
    masquerade: { iptables: marks, ipvs: externalIPSets },
    over: { iptables: /-A KUBE-SERVICES .*(?:198\.18\.11\.|2001:db8:e:b:)/, ipvs: servers },
    kind: {
      iptables: /KUBE-EXTERNAL-SERVICES .*(?:198\.18\.11\.|2001:db8:e:b:)/,
      nftables: nft(String.raw`198\.18\.11\.|2001:db8:e:b:`, elements),
    },
  }),
  shortCircuits: [
    {
      what: 'shortCircuits.pods',
      vary: ({ shortCircuits }) => ({ shortCircuits: { ...shortCircuits, pods: !shortCircuits.pods } }),
      lines: { iptables: /pod traffic for|Redirect pods/, nftables: /short-circuit pod traffic/ },
    },
    {
      what: 'shortCircuits.node',
      vary: ({ shortCircuits }) => ({ shortCircuits: { ...shortCircuits, node: !shortCircuits.node } }),
      lines: {
        iptables: /(?:masquerade|route) LOCAL traffic/,
        nftables: /(?:masquerade|short-circuit) local traffic/,
      },
    },
  ],
  masqueradesLoopback: [
    {
      what: 'masqueradesLoopback',
      vary: ({ masqueradesLoopback }) => ({ masqueradesLoopback: !masqueradesLoopback }),
      lines: { iptables: /-s (?:127\.0\.0\.0\/8|::1\/128) .*KUBE-MARK-MASQ/ },
    },
  ],
};

const onDetector = { iptables: /KUBE-MARK-MASQ|KUBE-XLB|KUBE-EXT|KUBE-FORWARD/, nftables: /mark|short-circuit pod/ };

export const ofNode: Variations<NodePlan> = {
  family: 'named everywhere',
  nodeIP: [{ what: 'nodeIP', vary: () => ({ nodeIP: '192.0.2.77' }), lines: {} }],
  mark: [{ what: 'mark', vary: () => ({ mark: 0x10 }), lines: { iptables: /mark/, nftables: /mark/, ipvs: /mark/ } }],
  clusterMasquerade: (['never', 'always'] as const).map((masquerade) => ({
    what: `clusterMasquerade: ${masquerade}`,
    vary: () => ({ clusterMasquerade: { masquerade, why: 'version' as const } }),
    lines: { nftables: /@cluster-ips/, ipvs: /CLUSTER-IP/ },
  })),
  localDetector: [
    {
      what: 'localDetector: a bridge',
      vary: () => ({ localDetector: { kind: 'bridge', name: 'br9' } }),
      lines: { ...onDetector, ipvs: /CLUSTER-IP/ },
    },
    {
      what: 'localDetector: none',
      vary: () => ({ localDetector: undefined }),
      lines: { ...onDetector, ipvs: /CLUSTER-IP/ },
    },
  ],
  nodePorts: [
    {
      what: 'nodePorts',
      vary: ({ family }) => ({
        nodePorts: { kind: 'addresses', addresses: [family === 'ipv4' ? '192.0.2.66' : '2001:db8::66'] },
      }),
      lines: {
        iptables: /-j KUBE-NODEPORTS/,
        nftables: nft('nodeport', 'local-node'),
        ipvs: /^-[Aa] |NODE-PORT/,
      },
    },
  ],
  usesLocalhostNodePorts: [
    {
      what: 'usesLocalhostNodePorts',
      vary: ({ usesLocalhostNodePorts }) => ({ usesLocalhostNodePorts: !usesLocalhostNodePorts }),
      // Its rule is in KUBE-FIREWALL, which canonical text leaves to kubelet: the text of iptables-save has a test of its own.
      lines: {},
    },
  ],
  excludesLoopbackNodePorts: [
    {
      what: 'excludesLoopbackNodePorts',
      vary: ({ excludesLoopbackNodePorts }) => ({ excludesLoopbackNodePorts: !excludesLoopbackNodePorts }),
      lines: { iptables: /KUBE-NODEPORTS/ },
    },
  ],
  namesLoopback: [
    {
      what: 'namesLoopback',
      vary: ({ namesLoopback }) => ({ namesLoopback: !namesLoopback }),
      lines: { nftables: nft('nodeport', '(?:tcp|udp|sctp)', 'packets 0 bytes 0') },
    },
  ],
  isLargeCluster: [
    {
      what: 'isLargeCluster',
      vary: ({ isLargeCluster }) => ({ isLargeCluster: !isLargeCluster }),
      lines: { iptables: /-A KUBE-(?:SEP|SVC|SVL|XLB)-/ },
    },
  ],
  dropsInvalid: [
    {
      what: 'dropsInvalid',
      vary: ({ dropsInvalid }) => ({ dropsInvalid: !dropsInvalid }),
      lines: { iptables: /INVALID/, nftables: /invalid/ },
    },
  ],
  serviceCIDRs: [
    { what: 'serviceCIDRs', vary: () => ({ serviceCIDRs: ['10.96.0.0/12'] }), lines: { nftables: /unallocated/ } },
  ],
  hasUnnamedNodePorts: [
    // Where the addresses are known it says nothing: comparisons with dumps without them have tests.
    { what: 'hasUnnamedNodePorts', vary: () => ({ hasUnnamedNodePorts: true }), lines: {} },
  ],
  addresses: [
    {
      what: 'addresses',
      vary: ({ addresses, family }) => ({
        addresses: [...addresses, family === 'ipv4' ? '192.0.2.66' : '2001:db8::66'],
      }),
      lines: { ipvs: /192\.0\.2\.66|2001:db8::66|^-a |NODE-PORT/ },
    },
  ],
};

const range = { ipv4: '203.0.113.0/24', ipv6: '2001:db8:9::/64' } as const;

/** Facts that people are told, and that no rule depends on. */
function flagOf(
  name: 'wantsTopologyHints' | 'usesHints' | 'isInternalPolicyLocal' | 'isExternalPolicyLocal',
): Variation<ServicePlan> {
  return { what: `${name}, which is for people`, vary: (plan) => ({ [name]: !plan[name] }), lines: {} };
}

function anotherEndpoint(like: Endpoint | undefined, family: 'ipv4' | 'ipv6'): Endpoint {
  const ip = family === 'ipv4' ? '10.244.99.9' : 'fd00:10:244:9::9';
  return { ...(like as Endpoint), ip, port: 80, address: family === 'ipv4' ? `${ip}:80` : `[${ip}]:80` };
}
