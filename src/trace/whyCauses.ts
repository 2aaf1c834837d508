import { commands } from '../findings/catalogue/commands.ts';
import { trailItems, type WalkEvent } from '../walk/flow.ts';
import { approximate } from '../walk/fraction.ts';
import { isTranslated } from '../walk/narrow.ts';
import { endText } from '../walk/text.ts';
import { onlyValue } from '../walk/valueSet.ts';
import type { WalkChain, WalkInput, WalkRule } from '../walk/walkInput.ts';
import { type CatalogEntrance, type RuleCatalog, ruleCatalog } from './ruleCatalog.ts';
import { hasPorts, protocolName } from './tracePacket.ts';
import { arrives, isAnswered, type TracedOutcome, type TraceResult } from './traceResult.ts';

/** One reason why somebody cannot be reached, or why it may fail although the rules are right. */
export interface Cause {
  readonly id: CauseId;
  /** In the order in which causes are asked for: the first that holds is the answer. */
  readonly order: number;
  readonly sentence: string;
  readonly evidence: readonly Evidence[];
  readonly fix: string;
  /** Numbers of the outcomes that fail so, from 0. */
  readonly outcomes: readonly number[];
}

export type CauseId =
  | 'not-asked-for'
  | 'no-endpoints'
  | 'no-local-endpoint'
  | 'source-not-allowed'
  | 'network-policy'
  | 'somebody-in-front'
  | 'hooks-missing'
  | 'routing'
  | 'way-back'
  | 'state'
  | 'some-ways-only'
  | 'not-the-rules';

export type Evidence =
  | { readonly kind: 'rule'; readonly text: string; readonly file?: string; readonly line?: number }
  | { readonly kind: 'fact'; readonly text: string };

export interface Why {
  /** The packet arrives and its answer returns: how often. Undefined: a condition that nobody can answer decides. */
  readonly isReachable: boolean;
  readonly causes: readonly Cause[];
}

/** Asks for the twelve causes in their order; of a packet that arrives and is answered only the last is left. */
export function whyCauses(result: TraceResult, input: WalkInput): Why {
  const catalog = ruleCatalog(input);
  const found = new Map<CauseId, Draft>();
  let failing = 0;
  for (const [at, outcome] of result.outcomes.entries()) {
    const draft = causeOf(outcome, result, input, catalog);
    if (draft === undefined) continue;
    failing += 1;
    const known = found.get(draft.id);
    if (known === undefined) found.set(draft.id, { ...draft, outcomes: [at] });
    else found.set(draft.id, { ...known, outcomes: [...(known.outcomes ?? []), at] });
  }
  const stranger = strangerFirst(result, catalog);
  if (stranger !== undefined && !found.has(stranger.id)) found.set(stranger.id, stranger);
  const causes = [...found.values()].map(whole);
  if (failing > 0 && failing < result.outcomes.length) causes.push(someWaysOnly(result, causes));
  causes.push(notTheRules(result));
  return { isReachable: failing === 0, causes: causes.sort((a, b) => a.order - b.order) };
}

interface Draft {
  readonly id: CauseId;
  readonly sentence: string;
  readonly evidence: readonly Evidence[];
  readonly fix: string;
  readonly outcomes?: readonly number[];
}

const orders: readonly CauseId[] = [
  'not-asked-for',
  'no-endpoints',
  'no-local-endpoint',
  'source-not-allowed',
  'network-policy',
  'somebody-in-front',
  'hooks-missing',
  'routing',
  'way-back',
  'state',
  'some-ways-only',
  'not-the-rules',
];

function whole({ outcomes = [], ...draft }: Draft): Cause {
  return { ...draft, order: orders.indexOf(draft.id) + 1, outcomes };
}

/** Why one outcome fails; undefined: it does not. */
function causeOf(
  outcome: TracedOutcome,
  result: TraceResult,
  input: WalkInput,
  catalog: RuleCatalog,
): Draft | undefined {
  const { flow, end } = outcome.first;
  const events = trailItems(flow.path);
  const last = events.at(-1);
  if (end.kind === 'dropped' || end.kind === 'rejected') {
    if (end.kind === 'rejected' && end.byIpvs) return noServers(result);
    return stoppedBy(last, events, result, catalog, input);
  }
  if (end.kind === 'unroutable') return unroutable(end.why, events, result);
  if (end.kind === 'unknown') {
    return {
      id: 'somebody-in-front',
      sentence: `What happens to the packet is unknown: ${end.why}.`,
      evidence: evidenceOf(last),
      fix: 'Look at the rule named, and at the program that wrote it.',
    };
  }
  const isDone = isTranslated(flow.connection, 'destination') || flow.isOfIpvs === true;
  if (!isDone) {
    const unasked = untranslated(outcome, events, result, catalog, input);
    if (unasked !== undefined) return unasked;
  }
  if (flow.connection.isKnown && isDone) return staleConnection(outcome, catalog);
  return wayBack(outcome, isDone);
}

/** A rule, or a chain's policy, ended the packet's way. */
function stoppedBy(
  last: WalkEvent | undefined,
  events: readonly WalkEvent[],
  result: TraceResult,
  catalog: RuleCatalog,
  input: WalkInput,
): Draft {
  const names = events.map(({ chain }) => chain.name);
  const said = last?.rule?.comment ?? '';
  const chain = last?.chain.name ?? '';
  const evidence = evidenceOf(last);
  const where = last === undefined ? 'a rule' : `${last.chain.table.name} ${chain}`;
  const asked = whereTo(result);
  if (/has no local endpoints/.test(said) || /^(?:KUBE-XLB|KUBE-SVL)-/.test(chain)) {
    return {
      id: 'no-local-endpoint',
      sentence: `${asked} has a traffic policy Local, and no endpoint is on this node.`,
      evidence,
      fix: 'Send it to a node that has an endpoint (`kubectl get endpointslices -A -o wide`), or set the traffic policy to Cluster.',
    };
  }
  if (/has no endpoints/.test(said) || /^reject-chain$|endpoints-check$/.test(chain)) {
    const isDrop = last?.verdict === 'drop' && last.action === undefined;
    if (isDrop)
      return {
        id: 'no-local-endpoint',
        sentence: `${asked} has a traffic policy Local, and no endpoint is on this node.`,
        evidence,
        fix: 'Send it to a node that has an endpoint (`kubectl get endpointslices -A -o wide`), or set the traffic policy to Cluster.',
      };
    return {
      id: 'no-endpoints',
      sentence: `${asked} has no endpoints: its Pods are not ready, or its selector matches none.`,
      evidence,
      fix: 'Compare the selector with the labels of the Pods, and see whether they are ready: `kubectl describe service NAME`, `kubectl get pods -o wide --show-labels`.',
    };
  }
  if (/^(?:KUBE-FW-|KUBE-PROXY-FIREWALL|KUBE-SOURCE-RANGES-FIREWALL|firewall-)/.test(chain)) {
    return {
      id: 'source-not-allowed',
      sentence: `The source is in none of the loadBalancerSourceRanges of ${asked}.`,
      evidence,
      fix: "Add the client's network to spec.loadBalancerSourceRanges: `kubectl edit service NAME`.",
    };
  }
  if (
    names.some((name) => /^(?:KUBE-POD-FW|KUBE-NWPLCY|KUBE-ROUTER)-/.test(name)) ||
    /netpol|policy/i.test(last?.chain.table.name ?? '')
  ) {
    return {
      id: 'network-policy',
      sentence: `A NetworkPolicy denies it: no rule of the Pod's policies allows this source and port (${where}).`,
      evidence,
      fix: '`k8snet policy test` with the same --from and --to names the policies that select the Pod, and the rule that comes closest to allowing it.',
    };
  }
  const unasked = /^(?:cluster-ips-check|KUBE-IPVS-FILTER)$/.test(chain)
    ? notAskedFor(result, catalog, evidence, input)
    : undefined;
  if (unasked !== undefined) return unasked;
  const what =
    last?.verdict === 'policy'
      ? `the policy of ${where} is DROP`
      : `a rule of another program in ${where} ${last?.action === undefined ? 'drops' : 'rejects'} it`;
  const isOwn = /^KUBE-/.test(chain);
  const sentence = isOwn
    ? `A rule of kube-proxy's chain ${chain} stops it${said === '' ? '' : ` (${said})`}.`
    : `Another rule comes first: ${what}.`;
  return {
    id: 'somebody-in-front',
    sentence,
    evidence,
    fix: 'Change or remove that rule in the program that wrote it (firewall, CNI plug-in, Docker). `iptables-save -c` shows it with its counters.',
  };
}

/** Somebody translates packets for a Service before kube-proxy does: they may arrive all the same, elsewhere. */
function strangerFirst(result: TraceResult, catalog: RuleCatalog): Draft | undefined {
  if (entrancesOf(result, catalog).length === 0) return undefined;
  for (const [at, { first }] of result.outcomes.entries()) {
    const translated = trailItems(first.flow.path).find(({ action }) => /^(?:dnat|redirect)\b/.test(action ?? ''));
    const chain = translated?.chain;
    if (translated === undefined || chain === undefined) continue;
    if (/^KUBE-/.test(chain.name) || /^kube-proxy/.test(chain.table.name)) continue;
    const outcomes = result.outcomes.flatMap((outcome, other) =>
      trailItems(outcome.first.flow.path).some(({ rule }) => rule === translated.rule) ? [other] : [],
    );
    return {
      id: 'somebody-in-front',
      sentence: `Another rule comes first: a rule of another program in ${chain.table.name} ${chain.name} sends it to ${(translated.action ?? '').replace(/^\w+ /, '')}.`,
      evidence: evidenceOf(translated),
      fix: 'Change or remove that rule in the program that wrote it (firewall, CNI plug-in, Docker). `iptables-save -c` shows it with its counters.',
      outcomes: outcomes.length > 0 ? outcomes : [at],
    };
  }
  return undefined;
}

function noServers(result: TraceResult): Draft {
  return {
    id: 'no-endpoints',
    sentence: `The virtual server ${whereTo(result)} has no real servers.`,
    evidence: [{ kind: 'fact', text: 'ipvsadm lists no server with a weight for it' }],
    fix: 'See why no Pod is ready: `kubectl describe service NAME`, `kubectl get pods -o wide --show-labels`.',
  };
}

/** The packet goes on to the very address that was asked for. */
function untranslated(
  outcome: TracedOutcome,
  events: readonly WalkEvent[],
  result: TraceResult,
  catalog: RuleCatalog,
  input: WalkInput,
): Draft | undefined {
  const { packet } = result;
  const ways = entrancesOf(result, catalog);
  const isPod = input.topology.pods.some(({ addresses }) => addresses.includes(packet.destination));
  const isHost = input.topology.hosts.some(({ addresses }) => addresses.includes(packet.destination));
  if (isPod || (isHost && ways.length === 0)) return undefined;
  const visited = new Set(events.map(({ chain }) => chain.name));
  const unled = ways.find(({ rule }) => rule !== undefined && isUnvisited(rule.chain, events));
  if (unled?.rule !== undefined && ways.every(({ rule }) => rule === undefined || isUnvisited(rule.chain, events))) {
    return hookMissing(unled.rule.chain, events, result, catalog);
  }
  const lost = ways.find(
    ({ chain, rule }) =>
      chain !== '' &&
      !visited.has(chain) &&
      events.some((event) => rule && isSame(event.chain, rule.chain) && event.rule?.number === rule.number),
  );
  if (lost?.rule !== undefined) {
    const isThere = lost.rule.chain.table.chains.has(lost.chain);
    return {
      id: 'no-endpoints',
      sentence: `${lost.chain}, the chain of ${whereTo(result)}, ${isThere ? 'has no rules' : 'is not there'}: the packet falls through.`,
      evidence: [ruleEvidence(lost.rule)],
      fix: commands.restart,
    };
  }
  const fallen = ways.find(({ chain }) => chain !== '' && visited.has(chain));
  if (fallen !== undefined) {
    return {
      id: 'no-endpoints',
      sentence: `${fallen.chain}, the chain of ${whereTo(result)}, leads to no endpoint: the packet falls through it.`,
      evidence: fallen.rule === undefined ? [] : [ruleEvidence(fallen.rule)],
      fix: `${commands.restart} If the chains stay so, look at the endpoints: ${commands.showEndpoints}.`,
    };
  }
  const isLocal = outcome.first.end.kind === 'delivered';
  const isOpenElsewhere =
    isLocal &&
    catalog.entrances.some(({ port, address }) => port === packet.destinationPort && address !== packet.destination);
  if (isLocal && isOpenElsewhere && ways.length === 0) {
    return {
      id: 'source-not-allowed',
      sentence: `The node port ${packet.destinationPort} is not open on ${endText(packet.destination, undefined)}: nodePortAddresses, or the mode, leaves this address out.`,
      evidence: [],
      fix: 'Use an address of the node that nodePortAddresses holds: `kubectl -n kube-system get configmap kube-proxy -o yaml`.',
    };
  }
  const port = packet.destinationPort ?? 0;
  const isNodePort = port >= 30_000 && port <= 32_767 && catalog.entrances.length > 0;
  if (isLocal && isNodePort && ways.length === 0) {
    return {
      id: 'not-asked-for',
      sentence: `No Service has the node port ${port}/${protocolName(packet.protocol)} on this node.`,
      evidence: [],
      fix: '`kubectl get services -A` lists the node ports.',
    };
  }
  // What listens on the node itself needs no rule.
  if (isLocal) return undefined;
  return notAskedFor(result, catalog, [], input);
}

function isUnvisited(chain: WalkChain, events: readonly WalkEvent[]): boolean {
  return !events.some((event) => isSame(event.chain, chain));
}

/** Where the node's address was made up, the packet met the rules as another reading of them. */
function isSame(a: WalkChain, b: WalkChain): boolean {
  const [one, other] = [a.table, b.table];
  return a.name === b.name && one.name === other.name && one.family === other.family && one.backend === other.backend;
}

/** The chain has rules for the packet, and nothing brings it there, or to the chains that would. */
function hookMissing(unled: WalkChain, events: readonly WalkEvent[], result: TraceResult, catalog: RuleCatalog): Draft {
  const callersOf = (of: WalkChain) => catalog.chains.find((each) => each.chain === of)?.callers ?? [];
  let chain = unled;
  let callers = callersOf(chain);
  const seen = new Set([chain]);
  for (;;) {
    const above = callers
      .map((rule) => rule.chain)
      .find((each) => each.base === undefined && isUnvisited(each, events));
    if (above === undefined || seen.has(above)) break;
    seen.add(above);
    chain = above;
    callers = callersOf(chain);
  }
  const names = [...new Set(callers.map((rule) => rule.chain.name))];
  return {
    id: 'hooks-missing',
    sentence: `${chain.name} has rules for ${whereTo(result)}, but no rule leads this packet there.`,
    evidence: [
      { kind: 'fact', text: `${chain.name} is called by ${names.length === 0 ? 'no rule' : names.join(', ')}` },
    ],
    fix: `${commands.restart} Then find the program that removed its jumps.`,
  };
}

function notAskedFor(
  result: TraceResult,
  catalog: RuleCatalog,
  evidence: readonly Evidence[],
  input: WalkInput,
): Draft | undefined {
  const { packet } = result;
  const here = catalog.entrances.filter(
    ({ address, service }) => address === packet.destination && service !== undefined,
  );
  const offered = [
    ...new Set(here.map(({ port, protocol }) => `${port}/${protocol === undefined ? '?' : protocolName(protocol)}`)),
  ];
  const port = hasPorts(packet.protocol)
    ? `port ${packet.destinationPort}/${protocolName(packet.protocol)}`
    : protocolName(packet.protocol);
  const address = endText(packet.destination, undefined);
  if (here.length > 0) {
    return {
      id: 'not-asked-for',
      sentence: `${here[0]?.service} at ${address} has no ${port}; it has ${offered.join(', ')}.`,
      evidence: [
        ...evidence,
        ...here.slice(0, 3).flatMap(({ rule }) => (rule === undefined ? [] : [ruleEvidence(rule)])),
      ],
      fix: 'Use a port of the Service, or add this one to spec.ports: `kubectl edit service NAME`.',
    };
  }
  const isService = catalog.entrances.length > 0 && input.topology.routes.length > 0;
  if (!isService && evidence.length === 0) return undefined;
  return {
    id: 'not-asked-for',
    sentence: `No rule of this node has the address ${address}: it is no Service's, or kube-proxy does not know the Service.`,
    evidence,
    fix: '`kubectl get services -A -o wide` lists the addresses of Services; `k8snet diff` compares the rules with them.',
  };
}

function unroutable(why: string, events: readonly WalkEvent[], result: TraceResult): Draft {
  if (why === 'hairpin mode off') {
    return {
      id: 'way-back',
      sentence:
        'The Pod asks itself by its Service, and its bridge port does not send packets back out (hairpin mode is off).',
      evidence: [{ kind: 'fact', text: 'hairpin off' }],
      fix: 'Set hairpinMode: true in the configuration of the CNI plug-in; for Pods that run already: `bridge link set dev PORT hairpin on`.',
    };
  }
  const fixes: Readonly<Record<string, string>> = {
    'forwarding off': '`sysctl -w net.ipv4.ip_forward=1` (IPv6: `net.ipv6.conf.all.forwarding=1`)',
    'no route': '`ip route` shows where the address leads: the CNI plug-in sets the routes to the Pods of other nodes.',
    rp_filter: '`sysctl -w net.ipv4.conf.all.rp_filter=2`, and the same for the interface',
    'route_localnet off': '`sysctl -w net.ipv4.conf.all.route_localnet=1`, or use another address of the node',
    martian:
      'The source or destination address may not come by this interface: look at the address, and at route_localnet.',
  };
  const last = events.findLast(({ rule }) => rule !== undefined);
  return {
    id: 'routing',
    sentence: `The kernel does not route ${whereTo(result)} on from here: ${why}.`,
    evidence: [{ kind: 'fact', text: why }, ...evidenceOf(last)],
    fix: fixes[why] ?? '`ip route get ADDRESS` shows what the kernel does with the address.',
  };
}

/** Connections that the node knows go where they went before. */
function staleConnection({ first: { flow } }: TracedOutcome, catalog: RuleCatalog): Draft | undefined {
  const { destination, destinationPort } = flow.packet;
  const to = endText(onlyValue(destination), destinationPort && (onlyValue(destinationPort) ?? null));
  if (catalog.chains.some(({ targets }) => targets.includes(to))) return undefined;
  return {
    id: 'state',
    sentence: `The node still tracks a connection to ${to}, which no rule has as an endpoint any more.`,
    evidence: [{ kind: 'fact', text: `a tracked connection translates to ${to}` }],
    fix: '`conntrack -D --orig-dst ADDRESS`, or wait until it times out (`k8snet doctor --conntrack` finds all of them).',
  };
}

function wayBack(outcome: TracedOutcome, isDone: boolean): Draft | undefined {
  const { reply, first } = outcome;
  if (reply === undefined) {
    const isOwnSource = isTranslated(first.flow.connection, 'source');
    if (!isDone || isOwnSource) return undefined;
    return {
      id: 'way-back',
      sentence:
        'The answer does not come back by this node: the packet was translated but not masqueraded, so the endpoint answers the client directly, which drops the answer.',
      evidence: evidenceOf(trailItems(first.flow.path).findLast(({ rule }) => rule !== undefined)),
      fix: 'Check KUBE-MARK-MASQ and KUBE-POSTROUTING with `k8snet doctor`: the cluster CIDR may be too wide, or the mark is not set or not tested.',
    };
  }
  if (isAnswered(outcome)) return undefined;
  const why = 'why' in reply.end ? reply.end.why : reply.end.kind;
  return {
    id: 'way-back',
    sentence: `The answer is lost on its way back: ${why}.`,
    evidence: evidenceOf(trailItems(reply.flow.path).at(-1)),
    fix: 'Let answers of established connections pass (`iptables -I FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT`), and check routing and rp_filter on the way back.',
  };
}

function someWaysOnly({ outcomes }: TraceResult, causes: readonly Cause[]): Cause {
  const failing = new Set(causes.flatMap((cause) => cause.outcomes));
  let share = 0;
  for (const at of failing) {
    const own = outcomes[at]?.share;
    share += own === undefined ? 1 / outcomes.length : approximate(own);
  }
  const where = [...failing].map((at) => {
    const flow = outcomes[at]?.first.flow;
    return flow === undefined
      ? ''
      : endText(
          onlyValue(flow.packet.destination),
          flow.packet.destinationPort && (onlyValue(flow.packet.destinationPort) ?? null),
        );
  });
  return whole({
    id: 'some-ways-only',
    sentence: `It fails ${(share * 100).toFixed(0)} % of the time: when chance chooses ${[...new Set(where)].slice(0, 5).join(', ')}.`,
    evidence: [],
    fix: 'Fix what fails for these endpoints.',
    outcomes: [...failing],
  });
}

function notTheRules(result: TraceResult): Cause {
  const fine = result.outcomes.flatMap((outcome, at) => (arrives(outcome.first.end) ? [at] : []));
  const remote = result.outcomes.find(({ first }) => first.end.kind === 'leaves');
  return whole({
    id: 'not-the-rules',
    sentence:
      'Where the rules of this node are right, look behind them: nothing listens on the target port, the Pod listens on another port or address, its own node drops the packet, or a firewall between the nodes does.',
    evidence: [],
    fix: `See what listens: \`ss -ltnp\` in the Pod${remote === undefined ? '' : `; then ${nextQuestion(remote, result)} with the dump of the endpoint's node`}.`,
    outcomes: fine,
  });
}

/** The same packet as it comes to the next node. */
function nextQuestion({ first: { flow } }: TracedOutcome, { packet }: TraceResult): string {
  const end = (values: typeof flow.packet.source, ports: typeof flow.packet.sourcePort) =>
    endText(onlyValue(values), ports && (onlyValue(ports) ?? undefined));
  const { source, destination, destinationPort } = flow.packet;
  return `k8snet trace DUMP --from ${end(source, undefined)} --to ${end(destination, destinationPort)} --proto ${protocolName(packet.protocol)}`;
}

function entrancesOf({ packet }: TraceResult, catalog: RuleCatalog): readonly CatalogEntrance[] {
  return catalog.entrances.filter(
    ({ address, port, protocol }) =>
      (address === undefined || address === packet.destination) &&
      port === packet.destinationPort &&
      (protocol === undefined || protocol === packet.protocol),
  );
}

function whereTo({ packet }: TraceResult): string {
  return `${endText(packet.destination, packet.destinationPort)}/${protocolName(packet.protocol)}`;
}

function evidenceOf(event: WalkEvent | undefined): readonly Evidence[] {
  if (event === undefined) return [];
  if (event.rule !== undefined) return [ruleEvidence(event.rule)];
  return event.verdict === 'policy'
    ? [
        {
          kind: 'fact',
          text: `the policy of ${event.chain.table.name} ${event.chain.name} is ${event.policy?.toUpperCase()}`,
        },
      ]
    : [];
}

function ruleEvidence({ text, file, line }: WalkRule): Evidence {
  return { kind: 'rule', text, ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}
