import { ipPort } from '../../common/addresses/ipPort.ts';
import type { UserspaceDialect } from '../../dialect/userspace/userspaceDialect.ts';
import type { Rule, Ruleset, Target, Word } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import {
  addressType,
  comment,
  isNotFromBridge,
  jumpTo,
  option,
  otherMatch,
  to,
  toPort,
} from '../../netfilter/iptables/print/builders.ts';
import type { ProxiedPort, UserspacePlan } from '../../plan/planUserspace.ts';

/** A rule and the table that it is in. */
export interface UserspaceRule {
  readonly table: 'filter' | 'nat';
  readonly rule: Rule;
  /** Where kube-proxy puts it, if it is not there yet. */
  readonly place: 'first' | 'last';
}

/** The chains of userspace mode; they exist even when they are empty. */
export const userspaceChains: readonly (readonly [table: 'filter' | 'nat', chain: string])[] = [
  ['filter', 'KUBE-NODEPORT-NON-LOCAL'],
  ['nat', 'KUBE-NODEPORT-CONTAINER'],
  ['nat', 'KUBE-NODEPORT-HOST'],
  ['nat', 'KUBE-PORTALS-CONTAINER'],
  ['nat', 'KUBE-PORTALS-HOST'],
];

/**
 * The rules of userspace mode in the order in which kube-proxy adds them, one by one: jumps, then what leads to each
 * Service port. CONTAINER chains are for what comes in, HOST chains for what the node itself sends.
 */
export function* userspaceRules(plan: UserspacePlan, dialect: UserspaceDialect): Iterable<UserspaceRule> {
  yield* jumps;
  for (const port of plan.ports) {
    yield* portals(port, plan);
    if (port.port.nodePort > 0) yield* nodePort(port, plan, dialect);
  }
}

/** What iptables-save shows of them on a node that held nothing else. */
export function savedUserspace(plan: UserspacePlan, dialect: UserspaceDialect): Ruleset {
  const rules: Record<'filter' | 'nat', Rule[]> = { filter: [], nat: [] };
  for (const { table, rule } of userspaceRules(plan, dialect)) rules[table].push(rule);
  return {
    kind: 'iptables',
    family: plan.family,
    tables: (['filter', 'nat'] as const).map((name) => ({
      name,
      chains: [
        ...builtinChains(name).map((chain) => ({ name: chain, policy: 'ACCEPT' })),
        ...userspaceChains.filter(([table]) => table === name).map(([, chain]) => ({ name: chain })),
      ],
      rules: rules[name],
    })),
  };
}

const clusterIPs = 'handle ClusterIPs; NOTE: this must be before the NodePort rules';
const nodePorts = 'handle service NodePorts; NOTE: this must be the last rule in the chain';

const jumps: readonly UserspaceRule[] = [
  jump('nat', 'first', 'PREROUTING', [comment(clusterIPs)], 'KUBE-PORTALS-CONTAINER'),
  jump('nat', 'first', 'OUTPUT', [comment(clusterIPs)], 'KUBE-PORTALS-HOST'),
  jump('nat', 'last', 'PREROUTING', [addressType('dst-type'), comment(nodePorts)], 'KUBE-NODEPORT-CONTAINER'),
  jump('nat', 'last', 'OUTPUT', [addressType('dst-type'), comment(nodePorts)], 'KUBE-NODEPORT-HOST'),
  jump(
    'filter',
    'first',
    'INPUT',
    [comment('Ensure that non-local NodePort traffic can flow')],
    'KUBE-NODEPORT-NON-LOCAL',
  ),
];

function jump(
  table: UserspaceRule['table'],
  place: UserspaceRule['place'],
  chain: string,
  words: readonly Word[],
  target: string,
): UserspaceRule {
  return { table, place, rule: { chain, words, target: jumpTo(target) } };
}

/** The cluster IP and each load-balancer address; an external IP only where it is not of this node's Pods, or local. */
function* portals(proxied: ProxiedPort, plan: UserspacePlan): Iterable<UserspaceRule> {
  const { clusterIP, externalIPs, loadBalancerIngress } = proxied.port;
  yield* portal(clusterIP, proxied, plan);
  for (const ip of externalIPs) {
    const words = toAddress(ip, proxied, plan);
    yield nat('KUBE-PORTALS-CONTAINER', [...words, isNotFromBridge], toProxy(proxied, plan));
    yield nat('KUBE-PORTALS-CONTAINER', [...words, addressType('dst-type')], toProxy(proxied, plan));
    yield nat('KUBE-PORTALS-HOST', [...words, addressType('dst-type')], toHost(proxied, plan));
  }
  for (const { ip } of loadBalancerIngress) yield* portal(ip, proxied, plan);
}

function* portal(ip: string, proxied: ProxiedPort, plan: UserspacePlan): Iterable<UserspaceRule> {
  const words = toAddress(ip, proxied, plan);
  yield nat('KUBE-PORTALS-CONTAINER', words, toProxy(proxied, plan));
  yield nat('KUBE-PORTALS-HOST', words, toHost(proxied, plan));
}

function* nodePort(proxied: ProxiedPort, plan: UserspacePlan, dialect: UserspaceDialect): Iterable<UserspaceRule> {
  const { name, proxyPort, port } = proxied;
  const protocol = port.protocol.toLowerCase();
  const words = [comment(name), ...toPort(protocol, port.nodePort)];
  yield nat('KUBE-NODEPORT-CONTAINER', words, toProxy(proxied, plan));
  yield nat('KUBE-NODEPORT-HOST', words, toHost(proxied, plan));
  // By then the packet goes to the proxy port already.
  const accepted = [
    comment(name),
    ...toPort(protocol, proxyPort),
    ...(dialect.repeatsNodePortComment ? [comment(name)] : []),
    otherMatch('state', option('state', 'NEW')),
  ];
  yield {
    table: 'filter',
    place: 'last',
    rule: { chain: 'KUBE-NODEPORT-NON-LOCAL', words: accepted, target: jumpTo('ACCEPT') },
  };
}

function nat(chain: string, words: readonly Word[], target: Target): UserspaceRule {
  return { table: 'nat', place: 'last', rule: { chain, words, target } };
}

function toAddress(ip: string, { name, port }: ProxiedPort, { family }: UserspacePlan): readonly Word[] {
  return [
    to(`${ip}/${family === 'ipv4' ? 32 : 128}`),
    comment(name),
    ...toPort(port.protocol.toLowerCase(), port.port),
  ];
}

function toProxy({ proxyPort }: ProxiedPort, { listenIP }: UserspacePlan): Target {
  if (listenIP !== undefined) return { kind: 'dnat', to: ipPort(listenIP, proxyPort) };
  return { kind: 'other', name: 'REDIRECT', options: [option('to-ports', String(proxyPort))] };
}

function toHost({ proxyPort }: ProxiedPort, { hostIP }: UserspacePlan): Target {
  return { kind: 'dnat', to: ipPort(hostIP, proxyPort) };
}
