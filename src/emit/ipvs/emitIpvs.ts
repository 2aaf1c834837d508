import type { Family } from '../../common/addresses/family.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import { ipvsSets, type SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import type { IpvsConfig } from '../../model/proxyConfig.ts';
import type { IpSet, IpsetState } from '../../netfilter/ipset/ast.ts';
import type { Chain, Rule, Ruleset, Table } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import type { IpvsState } from '../../netfilter/ipvs/ast.ts';
import { sortServices } from '../../netfilter/ipvs/sortServices.ts';
import type { Plan } from '../../plan/plan.ts';
import { addServicePort } from './addServicePort.ts';
import { filterRules } from './filterRules.ts';
import { jumpRules } from './jumpRules.ts';
import { natRules } from './natRules.ts';
import { nodePortAddresses } from './nodePortAddresses.ts';
import { type NodeState, nodeState } from './nodeState.ts';
import { setName } from './setName.ts';

/** All that IPVS mode leaves on a node in one family. */
export interface IpvsNode {
  readonly family: Family;
  /** The text that kube-proxy passes to `iptables-restore --noflush --counters`. */
  readonly restore: Ruleset;
  /** What iptables-save shows on a node that had no other rules: with built-in chains and their jumps. */
  readonly saved: Ruleset;
  /** In the order of the version; members in byte order, addresses in them as the version writes them. */
  readonly sets: IpsetState;
  /** In the order of `sortServices`. */
  readonly ipvs: IpvsState;
  /** Addresses of kube-ipvs0 with their length, in byte order. */
  readonly addresses: readonly string[];
}

/**
 * Lowers a plan to what a kube-proxy version makes of it in its first sync in IPVS mode. `namedLoopback`: loopback
 * addresses that get node ports all the same.
 */
export function emitIpvs(
  plan: Plan,
  dialect: IpvsDialect,
  config: IpvsConfig,
  namedLoopback: readonly string[],
  report: Report,
): IpvsNode {
  const { family, node } = plan;
  const state = nodeState(dialect.sets);
  const context = {
    state,
    scheduler: config.scheduler,
    nodePortAddresses: nodePortAddresses(node, namedLoopback, dialect),
    hasUnnamedNodePorts: node.hasUnnamedNodePorts === true,
    notBound: new Set(dialect.bindsOwnAddresses ? [] : node.addresses),
    hasSctpBitmap: dialect.sctpNodePorts === 'bitmap',
    report,
  };
  for (const service of plan.services) addServicePort(service, context);
  const bound = [...state.boundAddresses()].sort(compareBytes);
  for (const address of bound) state.addMember('ipvsIPs', address);

  reportFullSets(family, state, dialect, report);

  const rules = { nat: [...natRules({ node, state, dialect })], filter: [...filterRules({ node, state, dialect })] };
  return {
    family,
    restore: {
      kind: 'iptables',
      family,
      tables: [
        { name: 'nat', chains: natChainLines(dialect), rules: rules.nat },
        { name: 'filter', chains: named(dialect.filterChains), rules: rules.filter },
      ],
    },
    saved: {
      kind: 'iptables',
      family,
      tables: [
        savedTable('filter', dialect.filterChains, rules.filter, dialect),
        savedTable('nat', dialect.natChains, rules.nat, dialect),
      ],
    },
    sets: { kind: 'ipset', sets: dialect.sets.map((key) => setOf(key, family, state, dialect)) },
    ipvs: { kind: 'ipvs', ...timeouts(config, dialect), services: sortServices(state.services()) },
    addresses: bound.map((address) => `${address}/${family === 'ipv4' ? 32 : 128}`),
  };
}

/** Set by the proxier of either family as soon as one of them is given. */
function timeouts(config: IpvsConfig, dialect: IpvsDialect): Pick<IpvsState, 'timeouts'> {
  const { tcpTimeout: tcp, tcpFinTimeout: tcpFin, udpTimeout: udp } = config;
  return dialect.setsTimeouts && tcp + tcpFin + udp > 0 ? { timeouts: { tcp, tcpFin, udp } } : {};
}

/** The size of kube-proxy's hash sets; the kernel refuses the next member, and reports it only in its log. */
const largestSet = 65_536;

function reportFullSets(family: Family, state: NodeState, dialect: IpvsDialect, report: Report): void {
  for (const key of dialect.sets) {
    const count = state.members(key).length;
    if (count <= largestSet) continue;
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: `set ${setName(key, family, dialect)} has ${count} members, and kube-proxy makes it for ${largestSet}: ipset refuses the others`,
      at: [],
      hint: 'use iptables or nftables mode',
    });
  }
}

function named(chains: readonly string[]): readonly Chain[] {
  return chains.map((name) => ({ name }));
}

function natChainLines({ natChains, natChainLines }: IpvsDialect): readonly Chain[] {
  return named(natChainLines === 'own' ? natChains : natChains.map(() => 'KUBE-POSTROUTING'));
}

const markDrop = 'KUBE-MARK-DROP';

/** KUBE-MARK-DROP belongs to the kubelet: it has its rule if one of ours leads there. */
function savedTable(
  name: 'filter' | 'nat',
  own: readonly string[],
  rules: readonly Rule[],
  dialect: IpvsDialect,
): Table {
  const builtin = builtinChains(name).map((chain) => ({ name: chain, policy: 'ACCEPT' }));
  const leadsToDrop = rules.some(({ target }) => target?.kind === 'jump' && target.chain === markDrop);
  const dropRules: readonly Rule[] = leadsToDrop
    ? [{ chain: markDrop, words: [], target: { kind: 'mark', operation: 'set-xmark', value: 0x8000, mask: 0x8000 } }]
    : [];
  const hasDrop = leadsToDrop && !own.includes(markDrop);
  return {
    name,
    chains: [...builtin, ...named(hasDrop ? [...own, markDrop] : own)],
    rules: [...[...jumpRules(name, dialect)].reverse(), ...rules, ...dropRules],
  };
}

function setOf(key: SetKey, family: Family, state: NodeState, dialect: IpvsDialect): IpSet {
  const { type } = ipvsSets[key];
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
  return { name: setName(key, family, dialect), type, options, members };
}
