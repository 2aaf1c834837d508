import { escapeText } from '../../../common/text/escapeText.ts';
import { addressAndPort } from '../../../netfilter/ipset/addressAndPort.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { ruleHead } from '../../../netfilter/iptables/ruleHead.ts';
import { portsAsked } from '../../../netfilter/iptables/ruleParts.ts';
import { type DumpPlace, placeOf } from '../../../node/lines/chainLines.ts';
import type { NodeRules, ToolRules } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { listOf } from '../../explain/listOf.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/**
 * Host ports of the portmap plug-in: K8N607 if two Pods want one, and K8N601 if IPVS mode has cluster IPs with that
 * port. These are addresses of kube-ipvs0, so `--dst-type LOCAL` matches them too.
 */
export function hostPortChecks(dump: NodeRules): readonly DumpFinding[] {
  return dump.iptables.flatMap((set) => {
    const ports = hostPortsOf(set);
    return [...takenTwice(ports), ...onClusterIps(ports, clusterPorts(dump, set))];
  });
}

interface HostPort {
  readonly protocol: string;
  readonly port: string;
  /** Undefined: any address of the node. */
  readonly ip: string | undefined;
  readonly target: string;
  readonly place: DumpPlace;
}

function hostPortsOf(set: ToolRules): readonly HostPort[] {
  const chains = set.tables.get('nat')?.chains;
  const chain = chains?.get('CNI-HOSTPORT-DNAT');
  if (chains === undefined || chain === undefined) return [];
  return rulesOf(chain, set.family).flatMap((rule, at) => {
    if (rule.target?.kind !== 'jump' || !rule.target.chain.startsWith('CNI-DN-')) return [];
    const target = rule.target.chain;
    const inner = chains.get(target);
    const place = placeOf(chain, at);
    const inside = inner === undefined ? [] : entriesOf(inner, set);
    // A part of a dump may lack the chain of a Pod; the rule that leads to it names the ports too.
    const entries = inside.length > 0 ? inside : portsIn(rule);
    return entries.map((entry) => ({ ...entry, target, place }));
  });
}

function entriesOf(chain: RuleChain, set: ToolRules) {
  return rulesOf(chain, set.family).flatMap((rule) => (rule.target?.kind === 'dnat' ? portsIn(rule) : []));
}

function portsIn(rule: Rule) {
  const { protocol = '', destination: ip } = ruleHead(rule);
  return portsAsked(rule).map((port) => ({ protocol, ip, port }));
}

function* takenTwice(ports: readonly HostPort[]): Iterable<DumpFinding> {
  const first = new Map<string, HostPort>();
  for (const own of ports) {
    const key = `${own.protocol} ${own.port}`;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, own);
      continue;
    }
    if (before.target === own.target) continue;
    if (before.ip !== undefined && own.ip !== undefined && before.ip !== own.ip) continue;
    const names = `${escapeText(before.target)} and ${escapeText(own.target)}`;
    yield {
      finding: makeFinding('K8N607', {
        what: `host port ${escapeText(own.port)}/${escapeText(own.protocol)} leads to ${names}: the first one takes all traffic`,
        found: [own.place, before.place],
      }),
    };
  }
}

function* onClusterIps(
  ports: readonly HostPort[],
  addresses: ReadonlyMap<string, readonly string[]>,
): Iterable<DumpFinding> {
  for (const { protocol, port, ip, place } of ports) {
    const taken = (addresses.get(`${protocol} ${port}`) ?? []).filter((own) => ip === undefined || ip === own);
    if (taken.length === 0) continue;
    yield {
      finding: makeFinding('K8N601', {
        what: `host port ${port}/${protocol} also takes ${listOf(taken)}, which IPVS mode puts on the node`,
        why: 'IPVS mode binds every cluster IP to kube-ipvs0, so they are local addresses. The portmap plugin matches any local address before IPVS gets the packet.',
        fix: 'Give the Pod another hostPort, or set hostIP to an address of the node. `iptables -t nat -S CNI-HOSTPORT-DNAT` lists the host ports.',
        found: [place],
      }),
    };
  }
}

/**
 * By protocol and port, the addresses of virtual servers that are cluster IPs: node ports do not concern host ports.
 */
function clusterPorts({ ipsets, ipvs }: NodeRules, { family }: ToolRules): ReadonlyMap<string, readonly string[]> {
  const ports = new Map<string, string[]>();
  const add = (key: string, ip: string) => {
    const ips = ports.get(key);
    if (ips === undefined) ports.set(key, [ip]);
    else if (!ips.includes(ip)) ips.push(ip);
  };
  for (const set of ipsets) {
    if (set.family !== family) continue;
    for (const name of ['KUBE-CLUSTER-IP', 'KUBE-6-CLUSTER-IP']) {
      const content = set.tables.get('ipset')?.chains.get(name)?.content;
      for (const { member } of content?.kind === 'ipset' ? content.set.members : []) {
        const read = addressAndPort(member);
        if (read !== undefined) add(`${read.protocol} ${read.port}`, read.ip);
      }
    }
  }
  if (ports.size > 0) return ports;
  // Without the sets, ports in the default node-port range may belong to the node's own addresses.
  for (const set of ipvs) {
    if (set.family !== family) continue;
    for (const { content } of set.tables.get('ipvs')?.chains.values() ?? []) {
      if (content?.kind !== 'virtualServer' || content.service.address.kind !== 'address') continue;
      const { protocol, port, ip } = content.service.address;
      if (port < 30_000) add(`${protocol} ${port}`, ip);
    }
  }
  return ports;
}
