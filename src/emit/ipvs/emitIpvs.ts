import { compareBytes } from '../../common/compareBytes.ts';
import type { Family } from '../../common/family.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import type { IpvsConfig } from '../../model/proxyConfig.ts';
import type { IpSet, IpsetState } from '../../netfilter/ipset/ast.ts';
import type { Rule, Ruleset, Table } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import type { IpvsState } from '../../netfilter/ipvs/ast.ts';
import { sortServices } from '../../netfilter/ipvs/sortServices.ts';
import type { Plan } from '../../plan/plan.ts';
import { jumps, ownChains, type TableName } from './chains.ts';
import { filterRules } from './filterRules.ts';
import { natRules } from './natRules.ts';
import { nodePortAddresses } from './nodePortAddresses.ts';
import { type NodeState, nodeState } from './nodeState.ts';
import { setKeys, setName, setTable } from './setTable.ts';
import { walkService } from './walkService.ts';

/** All that IPVS mode leaves on a node in one family. */
export interface IpvsNode {
  readonly family: Family;
  /** What kube-proxy hands to `iptables-restore --noflush --counters`. */
  readonly restore: Ruleset;
  /** What iptables-save shows on a node that held nothing else: with built-in chains and the jumps in them. */
  readonly saved: Ruleset;
  /** In the order of the set table; members in byte order. */
  readonly sets: IpsetState;
  /** In the order of `sortServices`. */
  readonly ipvs: IpvsState;
  /** Addresses of kube-ipvs0 with their length, in byte order. */
  readonly addresses: readonly string[];
}

/**
 * Lowers a plan to what kube-proxy of the dialect makes of it in its first sync in IPVS mode. `namedLoopback`: loopback addresses
 * that get node ports all the same.
 */
export function emitIpvs(
  plan: Plan,
  dialect: IpvsDialect,
  config: IpvsConfig,
  namedLoopback: readonly string[],
  report: Report,
): IpvsNode {
  const { family, node } = plan;
  const state = nodeState();
  const context = {
    state,
    scheduler: config.scheduler,
    nodePortAddresses: nodePortAddresses(node, namedLoopback),
    ownAddresses: new Set(node.addresses),
    report,
  };
  for (const service of plan.services) walkService(service, context);
  const bound = [...state.boundAddresses()].sort(compareBytes);
  for (const address of bound) state.addMember('ipvsIPs', address);

  reportFullSets(family, state, report);

  const rules = { nat: [...natRules(node, state)], filter: [...filterRules(node, dialect, state)] };
  const { tcpTimeout: tcp, tcpFinTimeout: tcpFin, udpTimeout: udp } = config;
  return {
    family,
    restore: {
      kind: 'iptables',
      family,
      tables: (['nat', 'filter'] as const).map((name) => restoredTable(name, rules[name])),
    },
    saved: {
      kind: 'iptables',
      family,
      tables: (['filter', 'nat'] as const).map((name) => savedTable(name, rules[name])),
    },
    sets: { kind: 'ipset', sets: setKeys.map((key) => setOf(key, family, state)) },
    ipvs: {
      kind: 'ipvs',
      // Set by the proxier of either family as soon as one of them is given.
      ...(tcp + tcpFin + udp > 0 && { timeouts: { tcp, tcpFin, udp } }),
      services: sortServices(state.services()),
    },
    addresses: bound.map((address) => `${address}/${family === 'ipv4' ? 32 : 128}`),
  };
}

/** What kube-proxy makes its hash sets with; the next member is refused, by the kernel and to its log alone. */
const largestSet = 65_536;

function reportFullSets(family: Family, state: NodeState, report: Report): void {
  for (const key of setKeys) {
    const count = state.members(key).length;
    if (count <= largestSet) continue;
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: `set ${setName(key, family)} has ${count} members, and kube-proxy makes it for ${largestSet}: ipset refuses the others`,
      at: [],
      hint: 'use iptables or nftables mode',
    });
  }
}

function restoredTable(name: TableName, rules: readonly Rule[]): Table {
  return { name, chains: ownChains[name].map((chain) => ({ name: chain })), rules };
}

function savedTable(name: TableName, rules: readonly Rule[]): Table {
  const builtin = builtinChains(name).map((chain) => ({ name: chain, policy: 'ACCEPT' }));
  const inserted = jumps.filter(({ table }) => table === name).map(({ rule }) => rule);
  return {
    name,
    chains: [...builtin, ...ownChains[name].map((chain) => ({ name: chain }))],
    rules: [...inserted.reverse(), ...rules],
  };
}

function setOf(key: keyof typeof setTable, family: Family, state: NodeState): IpSet {
  const { type } = setTable[key];
  const options =
    type === 'bitmap:port'
      ? [{ name: 'range', value: '0-65535' }]
      : [
          { name: 'family', value: family === 'ipv4' ? 'inet' : 'inet6' },
          { name: 'hashsize', value: '1024' },
          { name: 'maxelem', value: String(largestSet) },
          // Not written by kube-proxy; ipset 7.12 and newer show it.
          { name: 'bucketsize', value: '12' },
        ];
  const members = [...state.members(key)].sort(compareBytes).map((member) => ({ member, options: [] }));
  return { name: setName(key, family), type, options, members };
}
