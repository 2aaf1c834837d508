import { type Family, familyNames } from '../common/addresses/family.ts';
import { addTo } from '../common/addTo.ts';
import type { OtherPolicy, PolicyModel } from '../model/policyModel.ts';
import { openPorts, openPortsText } from './openPorts.ts';
import type { Party } from './parties/party.ts';
import { policyClasses } from './policyClasses.ts';
import type { PolicyFlow } from './policyFlow.ts';
import type { PortSpec } from './portSpec.ts';
import { externalClasses } from './rules/externalClasses.ts';
import { createJudge, type Judge, type VerdictOptions } from './verdict.ts';

export interface MatrixRequest {
  /** Rows and columns are namespaces, or pods of the given namespaces (none given: of all). */
  readonly zoom: { readonly kind: 'namespaces' } | { readonly kind: 'pods'; readonly namespaces: readonly string[] };
  /** Undefined: cells tell which ports are open. */
  readonly port: PortSpec | undefined;
  readonly family: Family;
}

/** A matrix of connections: senders down, receivers across. */
export interface PolicyMatrix {
  readonly title: string;
  readonly names: readonly string[];
  readonly cells: readonly (readonly MatrixCell[])[];
  /** Policies of other kinds: the cells that they decide too are unknown. */
  readonly others: readonly OtherPolicy[];
}

export interface MatrixCell {
  /** Of pairs of different pods; a pod reaches itself always. */
  readonly allowed: number;
  readonly total: number;
  /** Those of which facts are missing, or about which policies of other kinds decide too. */
  readonly unknown: number;
  /**
   * `all`, `none`, ports, `80 of 100 pairs`, or `80 of 100 pairs, some ports`; `-`: no pair. With a question mark: unknown,
   * and what Kubernetes' own policies alone say where they do.
   */
  readonly text: string;
}

/**
 * Pods that no policy can tell apart are judged once, so that a deployment of a thousand pods costs what one pod costs.
 */
export function policyMatrix(model: PolicyModel, request: MatrixRequest, options: VerdictOptions = {}): PolicyMatrix {
  const judge = createJudge(model, options);
  const groups = groupsOf(model, judge, request);
  const known = pairTable<string>();
  const answer = (from: Member, to: Member) =>
    known.of(from.kind, to.kind, () => ask(judge, from.party, to.party, request.port));
  const cells = pairTable<MatrixCell>();
  const cellBetween = (from: Group, to: Group): MatrixCell => {
    const [sender, receiver] = [onlyMember(from), onlyMember(to)];
    if (sender === undefined || receiver === undefined || sender.party.ip === receiver.party.ip)
      return cellOf(from, to, answer);
    return cells.of(sender.kind, receiver.kind, () => cellOf(from, to, answer));
  };
  return {
    title: `who may connect to whom, ${familyNames[request.family]}${request.port === undefined ? '' : `, ${specText(request.port)}`}`,
    names: groups.map(({ name }) => name),
    cells: groups.map((from) => groups.map((to) => cellBetween(from, to))),
    others: model.otherPolicies,
  };
}

interface Group {
  readonly name: string;
  readonly classes: readonly (readonly [Member, ...Member[]])[];
}

interface Member {
  readonly party: Party;
  /** Number of its class: what policies see of it. */
  readonly kind: number;
}

function groupsOf(model: PolicyModel, judge: Judge, { zoom, family }: MatrixRequest): readonly Group[] {
  const kindOf = policyClasses(model);
  const wanted = zoom.kind === 'pods' ? new Set(zoom.namespaces) : new Set<string>();
  const byName = new Map<string, Member[]>();
  for (const pod of model.pods) {
    if (wanted.size > 0 && !wanted.has(pod.namespace)) continue;
    const party = judge.partyOfPod(pod, family);
    if (party === undefined) continue;
    const name = zoom.kind === 'pods' ? pod.id : pod.namespace;
    addTo(byName, name, { party, kind: kindOf(pod, party) });
  }
  // The world outside, by what policies tell apart of it.
  const external = externalClasses(model, family).map(({ name, address }, at): readonly [string, Member[]] => [
    name,
    [{ party: judge.partyAt(address), kind: -1 - at }],
  ]);
  return [...byName, ...external].map(([name, members]) => {
    const classes = new Map<number, [Member, ...Member[]]>();
    for (const member of members) addTo(classes, member.kind, member);
    return { name, classes: [...classes.values()] };
  });
}

/** Of a group of one: what it may do follows from its class and from who else has its address. */
function onlyMember({ classes }: Group): Member | undefined {
  const [[only, ...others] = [], ...more] = classes;
  return others.length + more.length === 0 ? only : undefined;
}

/** Values of pairs of classes, each made once; classes have whole numbers. */
function pairTable<T>(): { readonly of: (from: number, to: number, make: () => T) => T } {
  const rows = new Map<number, Map<number, T>>();
  return {
    of: (from, to, make) => {
      const row = rows.get(from) ?? new Map<number, T>();
      rows.set(from, row);
      const value = row.get(to) ?? make();
      row.set(to, value);
      return value;
    },
  };
}

function cellOf(from: Group, to: Group, answer: (from: Member, to: Member) => string): MatrixCell {
  let total = 0;
  let allowed = 0;
  let unknown = 0;
  const texts = new Map<string, number>();
  for (const senders of from.classes) {
    for (const receivers of to.classes) {
      const [sender] = senders;
      // What happens outside does not concern the cluster.
      if (sender.kind < 0 && receivers[0].kind < 0) continue;
      // Within a class the receiver is another pod, if there is one.
      const isOwn = sender.kind === receivers[0].kind;
      const receiver = isOwn ? receivers.find(({ party }) => party.ip !== sender.party.ip) : receivers[0];
      if (receiver === undefined) continue;
      // Groups are one and the same, or have no pod in common.
      const pairs = senders.length * receivers.length - (isOwn && from === to ? senders.length : 0);
      const text = answer(sender, receiver);
      total += pairs;
      const isUnknown = text.includes('?');
      if (isUnknown) unknown += pairs;
      else if (text !== 'none') allowed += pairs;
      texts.set(text, (texts.get(text) ?? 0) + pairs);
    }
  }
  const [only] = texts.keys();
  if (only === undefined) return { allowed, total, unknown, text: '-' };
  if (texts.size === 1) return { allowed, total, unknown, text: only };
  const isPartly = [...texts.keys()].some((text) => text !== 'all' && text !== 'none' && !text.includes('?'));
  const doubt = unknown === 0 ? '' : `, ${unknown}?`;
  return { allowed, total, unknown, text: `${allowed} of ${total} pairs${isPartly ? ', some ports' : ''}${doubt}` };
}

function ask(judge: Judge, from: Party, to: Party, port: PortSpec | undefined): string {
  if (port === undefined) return openPortsText(openPorts(judge, from, to));
  const flow = flowOf(from, to, port);
  if (flow === undefined) return to.pods.some(({ hasKnownPorts }) => !hasKnownPorts) ? '?' : 'none';
  const { byRules, isUnknown } = judge.judge(flow);
  if (byRules === 'unknown') return '?';
  return `${byRules === 'allowed' ? 'all' : 'none'}${isUnknown ? '?' : ''}`;
}

function flowOf(from: Party, to: Party, port: PortSpec): PolicyFlow | undefined {
  if (port.kind === 'icmp') return { from, to, protocol: 'ICMP', port: 0 };
  if (port.kind === 'number') return { from, to, protocol: port.protocol, port: port.port };
  const ports = to.pods.flatMap(({ namedPorts }) => namedPorts);
  const found = ports.find(({ name, protocol }) => name === port.name && protocol === port.protocol);
  return found && { from, to, protocol: port.protocol, port: found.port };
}

function specText(port: PortSpec): string {
  if (port.kind === 'icmp') return 'ICMP';
  return `${port.kind === 'number' ? port.port : port.name}/${port.protocol.toLowerCase()}`;
}
