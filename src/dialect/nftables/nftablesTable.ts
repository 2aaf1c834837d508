import type { DialectTable } from '../dialectTable.ts';
import { hooks129, hooks130, hooks133 } from './hooks.ts';
import type { NftablesDialect } from './nftablesDialect.ts';

/** Every version that changed what nftables mode writes. */
export const nftablesTable: DialectTable<NftablesDialect> = {
  base: {
    hooks: hooks129,
    remakesBaseChains: false,
    flushes: [
      { kind: 'set', name: 'firewall' },
      { kind: 'set', name: 'firewall-allow' },
      { kind: 'map', name: 'no-endpoint-services' },
      { kind: 'map', name: 'no-endpoint-nodeports' },
      { kind: 'map', name: 'service-ips' },
      { kind: 'map', name: 'service-nodeports' },
    ],
    endpointChecks: 'one',
    checksClusterIPs: false,
    dropsUnallocated: false,
    sourceRanges: 'elements',
    namesFirewallElements: true,
    repeatsElements: true,
    interfaceMatch: 'iif',
    masqueradeMark: 'chain',
    clusterIPMark: 'addressAndPort',
    hairpin: 'endpointChain',
    balance: 'endpointChains',
    namesSingleEndpoint: false,
    cutsComments: false,
    localNodePorts: 'none',
  },
  rows: [
    {
      version: '1.29',
      evidence: 'recorded',
      origin: 'first nftables mode (alpha): source ranges in a set, INVALID packets are dropped',
      changes: {},
    },
    {
      version: '1.30',
      evidence: 'recorded',
      origin:
        'base chains before and behind DNAT; unknown ports of cluster IPs are rejected; a chain for the source ranges of each service port',
      changes: {
        hooks: hooks130,
        remakesBaseChains: true,
        flushes: [
          { kind: 'set', name: 'cluster-ips' },
          { kind: 'map', name: 'firewall-ips' },
          { kind: 'map', name: 'no-endpoint-services' },
          { kind: 'map', name: 'no-endpoint-nodeports' },
          { kind: 'map', name: 'service-ips' },
          { kind: 'map', name: 'service-nodeports' },
        ],
        endpointChecks: 'perKind',
        checksClusterIPs: true,
        sourceRanges: 'ruleAtChain',
      },
    },
    {
      version: '1.31',
      evidence: 'recorded',
      origin:
        'an element is written once, and of two Services that claim one address the last wins; elements of firewall-ips have no comment',
      changes: {
        flushes: [
          { kind: 'set', name: 'cluster-ips' },
          { kind: 'map', name: 'service-ips' },
          { kind: 'map', name: 'firewall-ips' },
          { kind: 'map', name: 'no-endpoint-services' },
          { kind: 'map', name: 'no-endpoint-nodeports' },
          { kind: 'map', name: 'service-nodeports' },
        ],
        sourceRanges: 'ruleBehindExternal',
        namesFirewallElements: false,
        repeatsElements: false,
      },
    },
    {
      version: '1.33',
      evidence: 'recorded',
      origin:
        'sets and maps are read at the start instead of being flushed; traffic to unallocated cluster IPs is dropped (ServiceCIDRs)',
      changes: { flushes: [], dropsUnallocated: true },
    },
    {
      version: '1.33.6',
      evidence: 'recorded',
      origin: 'filter chains behind DNAT, except for the firewall (kubernetes#132456)',
      changes: { hooks: hooks133 },
    },
    {
      version: '1.33.6',
      isBranch: true,
      evidence: 'recorded',
      origin: 'interfaces of Pods are matched by name (kubernetes#134024)',
      changes: { interfaceMatch: 'iifname' },
    },
    {
      version: '1.34',
      evidence: 'recorded',
      origin: 'traffic to a cluster IP is masqueraded by its address alone',
      changes: { clusterIPMark: 'address' },
    },
    {
      version: '1.34.2',
      evidence: 'recorded',
      origin: 'interfaces of Pods are matched by name (kubernetes#134024)',
      changes: { interfaceMatch: 'iifname' },
    },
    {
      version: '1.36',
      evidence: 'recorded',
      origin:
        'DNAT by a map in the chain of the service port; chains of endpoints with ClientIP affinity only; hairpin-connections instead of rules; marks are set in place',
      changes: {
        masqueradeMark: 'inPlace',
        clusterIPMark: 'services',
        hairpin: 'set',
        balance: 'dnatMap',
      },
    },
    {
      version: '1.37',
      evidence: 'recorded',
      origin:
        'DNAT to a single endpoint without a map; comments are cut to 128 bytes; what a proxy of node ports on loopback left is deleted',
      changes: { namesSingleEndpoint: true, cutsComments: true, localNodePorts: 'cleared' },
    },
  ],
  bareMinor: 'newestPatch',
};
