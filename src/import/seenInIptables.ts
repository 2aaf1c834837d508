import type { Family } from '../common/family.ts';
import { type Protocol, protocolsByWord } from '../common/protocol.ts';
import type { SeenEndpoint } from '../model/seenServices.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import { endpointOf } from '../node/endpointOf.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import { rulesOf } from '../node/rulesOf.ts';
import { servicePortName } from '../node/servicePortName.ts';
import { addEndpoint } from './addEndpoint.ts';
import type { Sighting } from './seenServices.ts';

/** What kube-proxy's rules of iptables mode show of Services, by the comments that it writes into each. */
export function* seenInIptables({ tables, family }: ToolRules): Iterable<Sighting> {
  const nat = tables.get('nat');
  for (const table of [nat, tables.get('filter')]) {
    for (const name of ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS']) {
      const chain = table?.chains.get(name);
      for (const rule of chain ? rulesOf(chain, family) : []) {
        const sighting = sightingOf(rule, name, family, nat);
        if (sighting !== undefined) yield sighting;
      }
    }
  }
}

function sightingOf(rule: Rule, chain: string, family: Family, nat: RuleTable | undefined): Sighting | undefined {
  const named = nameOf(rule);
  const { ip, port, protocol } = addressOf(rule);
  if (named === undefined || port === undefined || protocol === undefined) return undefined;
  const { service, portName, what } = named;
  const common = { service, portName, protocol, family };
  if (what === 'health check node port') return { ...common, kind: 'healthCheckNodePort', number: port };
  const target = rule.target?.kind === 'jump' ? rule.target.chain : '';
  const known =
    rule.target?.kind === 'reject'
      ? { endpoints: [] }
      : target === 'DROP'
        ? { isElsewhere: true }
        : endpointsBehind(target, family, nat);
  if (ip === undefined)
    return isNodePort(chain, rule) ? { ...common, kind: 'nodePort', number: port, ...known } : undefined;
  if (what === 'cluster IP') return { ...common, kind: 'clusterIP', ip, port, ...known };
  if (what === 'external IP') return { ...common, kind: 'givenIP', port, ...known };
  if (what === 'loadbalancer IP') return { ...common, kind: 'loadBalancerIP', ip, port, ...known };
  // Rules that refuse say nothing of the kind of address: those of cluster IPs stand in KUBE-SERVICES.
  return { ...common, kind: chain === 'KUBE-SERVICES' ? 'clusterIP' : 'externalIP', ip, port, ...known };
}

function isNodePort(chain: string, { words }: Rule): boolean {
  return chain === 'KUBE-NODEPORTS' || words.some(({ kind }) => kind === 'addrtype');
}

/** `ns/name:port what`: the name of a Service port, and what kube-proxy says of the rule. */
function nameOf({ words }: Rule) {
  for (const word of words) {
    if (word.kind !== 'comment') continue;
    const [, name = '', what = ''] = /^(\S+)(?: (.*))?$/.exec(word.text) ?? [];
    const named = servicePortName(name);
    if (named !== undefined) return { ...named, what };
  }
  return undefined;
}

function addressOf({ words }: Rule): { ip?: string; port?: number; protocol?: Protocol } {
  let ip: string | undefined;
  let port: number | undefined;
  let protocol: Protocol | undefined;
  for (const word of words) {
    if (word.kind === 'destination' && !word.negated) ip = word.address.replace(/\/(?:32|128)$/, '');
    if (word.kind === 'protocol' && !word.negated) protocol = protocolsByWord.get(word.protocol);
    if (word.kind === 'transport' && /^\d+$/.test(word.destinationPort ?? '')) port = Number(word.destinationPort);
  }
  return {
    ...(ip !== undefined && { ip }),
    ...(port !== undefined && { port }),
    ...(protocol !== undefined && { protocol }),
  };
}

/**
 * The endpoints that a chain of a Service leads to, through chains of external traffic and source ranges; nothing where
 * one of the chains is not shown.
 */
function endpointsBehind(
  start: string,
  family: Family,
  nat: RuleTable | undefined,
): { readonly endpoints?: readonly SeenEndpoint[] } {
  if (!/^KUBE-(?:SVC|SVL|XLB|EXT|FW)-/.test(start)) return {};
  const found = new Map<string, SeenEndpoint>();
  const reached = new Set([start]);
  for (const name of reached) {
    const chain = nat?.chains.get(name);
    if (chain === undefined) return {};
    for (const { target } of rulesOf(chain, family)) {
      const next = target?.kind === 'jump' ? target.chain : '';
      if (/^KUBE-(?:SVC|SVL|XLB|EXT)-/.test(next)) reached.add(next);
      if (!next.startsWith('KUBE-SEP-')) continue;
      const address = endpointOf(nat?.chains.get(next), family) ?? '';
      const [, ip, port] = /^\[?([0-9a-fA-F.:]+?)\]?:(\d+)$/.exec(address) ?? [];
      if (ip === undefined) return {};
      const isLocal = /^KUBE-(?:SVL|XLB)-/.test(name);
      addEndpoint(found, { ip, port: Number(port), isInCluster: !isLocal, isLocal });
    }
  }
  return { endpoints: [...found.values()] };
}
