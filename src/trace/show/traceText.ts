import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { Flow, WalkEvent } from '../../walk/flow.ts';
import { rejectionText } from '../../walk/hooks/rejectionText.ts';
import type { Ended } from '../../walk/hooks/walkHook.ts';
import type { Topology } from '../../walk/input/topology.ts';
import { endText } from '../../walk/values/text.ts';
import { wireIn, wireOut, wireText } from '../onTheWire.ts';
import { protocolName } from '../question/protocolName.ts';
import { arrives, isAnswered, type TracedOutcome, type TraceResult } from '../traceResult.ts';
import { answerLines } from './answerLines.ts';
import type { EndpointFinder } from './endpointFinder.ts';
import { fewOfUnknown } from './fewOfUnknown.ts';
import { fractionText } from './fractionText.ts';
import type { TraceAnswer } from './traceAnswer.ts';
import { type TraceBranch, type TraceTree, traceTree } from './traceTree.ts';

export interface TraceTextOptions {
  /** Shows every event, even in chains without any effect. */
  readonly isVerbose: boolean;
  /** The kernel's own trace: it does not contain states and replies. */
  readonly isRecorded?: boolean;
  /** The node's network, for the steps that no rule decides. */
  readonly topology?: Topology | undefined;
  /** The overall result: it comes first if the packet, or its reply, certainly does not arrive. */
  readonly answer?: TraceAnswer | undefined;
}

/** A trace for a person: a tree by hook that branches where chance does, then the fate of the packet and its reply. */
export function traceText(
  result: TraceResult,
  names: EndpointFinder,
  { isVerbose, isRecorded = false, topology, answer }: TraceTextOptions,
): string {
  const { packet, outcomes, notes } = result;
  const from = endText(packet.source, packet.sourcePort ?? (packet.destinationPort === undefined ? undefined : null));
  const state = outcomes[0]?.first.flow.connection.found ?? 'new';
  const way = packet.origin === 'local' ? 'from the node' : `in ${packet.inInterface ?? 'by an unknown interface'}`;
  const head = `${protocolName(packet.protocol)} ${from} → ${endText(packet.destination, packet.destinationPort)}   ${way}${isRecorded ? '' : `   ${state.toUpperCase()}`}`;
  const lines = [
    ...answerLines(answer, outcomes),
    head,
    ...(topology === undefined ? [] : wireIn(packet, topology).map(wireText)),
    ...fewOfUnknown(treeLines(traceTree(outcomes), { isVerbose, isRecorded, names, topology }), result, isVerbose),
  ];
  for (const { rule, text } of notes.unknown.values()) {
    const place = rule === undefined ? '' : ` (${rule.chain.table.name} ${rule.chain.name} #${rule.number})`;
    lines.push(`unknown: ${text}${place}: both answers are followed`);
  }
  for (const text of notes.assumed) lines.push(`assumed: ${text}`);
  for (const text of notes.notes) lines.push(`note: ${text}`);
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

interface Rendering {
  readonly isVerbose: boolean;
  readonly isRecorded: boolean;
  readonly names: EndpointFinder;
  readonly topology: Topology | undefined;
}

function treeLines(tree: TraceTree, rendering: Rendering, before?: WalkEvent): readonly string[] {
  const isOpen = tree.branches.length > 0;
  const lines = eventLines(tree.events, rendering.isVerbose, isOpen, before);
  const last = tree.events.at(-1) ?? before;
  for (const outcome of tree.outcomes) lines.push(...outcomeLines(outcome, rendering));
  if (!isOpen) return lines;
  const branches = tree.branches.map((branch) => ({ branch, own: treeLines(branch.tree, rendering, last) }));
  // What all branches have in common at their end is said once, after them.
  const shared = sharedEnd(branches.map(({ own }) => own));
  for (const [at, { branch, own }] of branches.entries()) {
    const isLast = at === branches.length - 1;
    const [first = 'nothing more', ...more] = own.slice(0, own.length - shared);
    lines.push(`   ${isLast ? '└' : '├'} ${shareText(branch)}  ${first}`);
    for (const line of more) lines.push(`   ${isLast ? ' ' : '│'}      ${line}`);
  }
  const [{ own } = { own: [] as readonly string[] }] = branches;
  lines.push(...own.slice(own.length - shared));
  return lines;
}

function sharedEnd(all: readonly (readonly string[])[]): number {
  const [first = []] = all;
  let count = 0;
  while (
    all.length > 1 &&
    all.every((lines) => lines.length > count + 1) &&
    all.every((lines) => lines[lines.length - 1 - count] === first[first.length - 1 - count])
  ) {
    count += 1;
  }
  return count;
}

function shareText({ share }: TraceBranch): string {
  return share === undefined ? '?' : fractionText(share);
}

/**
 * One line for each run through a table: chain by chain, with the effects of rules. `isOpen`: the ways branch within
 * the
 * last run; `before`: the first one continues from there.
 */
function eventLines(
  events: readonly WalkEvent[],
  isVerbose: boolean,
  isOpen: boolean,
  before: WalkEvent | undefined,
): string[] {
  const lines: string[] = [];
  const idle: string[] = [];
  let label = '';
  const flush = () => {
    if (idle.length > 0) lines.push(`${label}${[...new Set(idle)].join(', ')}: nothing`);
    idle.length = 0;
  };
  const runs = runsOf(events);
  for (const [at, run] of runs.entries()) {
    const [first] = run;
    if (first === undefined) continue;
    if (at === 0 && before !== undefined && goesOn(before, first)) {
      lines.push(runText(run, isVerbose, before.target));
      continue;
    }
    const hook = `${first.leg === 2 ? 'lo: ' : ''}${first.hook.toUpperCase()} `.padEnd(13);
    const table = first.chain.table.name;
    const isParted = isOpen && at === runs.length - 1;
    if (!isVerbose && !isParted && run.every(isIdle)) {
      if (hook !== label) flush();
      label = hook;
      idle.push(table);
      continue;
    }
    flush();
    lines.push(`${hook}${table.padEnd(10)} ${runText(run, isVerbose, undefined)}`);
  }
  flush();
  return lines;
}

function runsOf(events: readonly WalkEvent[]): readonly (readonly WalkEvent[])[] {
  const runs: WalkEvent[][] = [];
  let last: WalkEvent | undefined;
  for (const event of events) {
    if (last !== undefined && goesOn(last, event)) runs.at(-1)?.push(event);
    else runs.push([event]);
    last = event;
  }
  return runs;
}

/** Both belong to one run through a base chain. */
function goesOn(last: WalkEvent, event: WalkEvent): boolean {
  return (
    last.hook === event.hook &&
    last.leg === event.leg &&
    last.chain.table === event.chain.table &&
    last.verdict !== 'policy' &&
    last.verdict !== 'accept'
  );
}

/** Chains are only entered and left again, and the policy lets the packet pass. */
function isIdle({ verdict, action, policy }: WalkEvent): boolean {
  if (action !== undefined) return false;
  return (
    verdict === 'jump' ||
    verdict === 'goto' ||
    verdict === 'end' ||
    verdict === 'return' ||
    (verdict === 'policy' && policy === 'accept')
  );
}

function runText(run: readonly WalkEvent[], isVerbose: boolean, into: string | undefined): string {
  let text = '';
  let entered = into;
  for (const [at, event] of run.entries()) {
    const { chain, rule, verdict } = event;
    if (verdict === 'end') {
      if (isVerbose) text += `${text === '' ? '' : ', '}${chain.name} ends`;
      entered = undefined;
      continue;
    }
    if (!isVerbose && isFruitless(run, at)) continue;
    const shown = eventText(event);
    if (rule === undefined) text += `${text === '' ? '' : '   '}${shown}`;
    else if (entered === chain.name) text += `${text === '' ? '' : ' '}#${rule.number}${shown}`;
    else text += `${text === '' ? '' : '; '}${chain.name} #${rule.number}${shown}`;
    entered = event.target;
  }
  return text;
}

/** A jump into a chain that ends without doing anything. */
function isFruitless(run: readonly WalkEvent[], at: number): boolean {
  const event = run[at] as WalkEvent;
  if (event.verdict !== 'jump' || event.action !== undefined) return false;
  const next = run[at + 1];
  return next?.verdict === 'end' && next.chain.name === event.target;
}

function eventText({ verdict, target, policy, action, rule }: WalkEvent): string {
  const shown = action === undefined ? '' : ` ${action}`;
  switch (verdict) {
    case 'jump':
    case 'goto':
      return `${shown} → ${target}`;
    case 'policy':
      return `policy ${(policy ?? '').toUpperCase()}`;
    case 'continue':
      return shown;
    case 'drop':
      return `${/^ (?:icmp|tcp-reset)/.test(shown) ? ` REJECT${shown}` : `${shown} DROP`}${place(rule)}`;
    case 'end':
      return '';
    default:
      return `${shown} ${verdict.toUpperCase()}`;
  }
}

/** The rule that ends a packet's way, in full and with its place. */
function place(rule: WalkEvent['rule']): string {
  if (rule === undefined) return '';
  const where = rule.file === undefined ? '' : `   ${rule.file}${rule.line === undefined ? '' : `:${rule.line}`}`;
  return `${where}   ${rule.text}`;
}

function outcomeLines(outcome: TracedOutcome, { names, isRecorded, topology }: Rendering): string[] {
  const { first } = outcome;
  const lines = [`=> ${endedText(first, names)}`];
  if (isRecorded) return lines;
  if (topology !== undefined) lines.push(...wireOut(first, topology).map(wireText));
  if (!arrives(first.end)) {
    const notice = noticeText(outcome);
    return notice === undefined ? lines : [...lines, `   ${notice}`];
  }
  const { reply } = outcome;
  if (reply === undefined) lines.push('   answer: does not come by this node');
  else if (isAnswered(outcome)) lines.push(`   answer: ${answerText(reply.flow)}`);
  else lines.push(`   answer: lost: ${endedText(reply, names)}`);
  return lines;
}

function endedText({ flow, end }: Ended, names: EndpointFinder): string {
  const { packet } = flow;
  const source =
    end.kind === 'leaves' || end.kind === 'delivered' ? `, source ${sideText(packet.source, packet.sourcePort)}` : '';
  const named = names.endpointOf({ flow, end });
  const who = named?.pod ?? (named?.node && end.kind === 'delivered' ? `node ${named.node}` : undefined);
  const to = `${sideText(packet.destination, packet.destinationPort)}${who === undefined ? '' : ` (${who})`}`;
  switch (end.kind) {
    case 'leaves':
      return `leaves by ${flow.outInterface ?? '?'} to ${to}${source}`;
    case 'delivered':
      return `delivered to the node: ${to}${source}`;
    case 'rejected':
      return `rejected with ${rejectionText(end.rejection, flow)}`;
    case 'bridged':
      return 'goes over the bridge, unseen by rules';
    case 'dropped':
      return 'dropped';
    case 'unroutable':
    case 'unknown':
      return `${end.kind}: ${end.why}`;
  }
}

/** What the sender sees of a packet that does not arrive. */
function noticeText({ first, reply }: TracedOutcome): string | undefined {
  const { end, flow } = first;
  const isTcp = onlyValue(flow.packet.protocol) === 6;
  if (end.kind === 'rejected') {
    const isTold = reply?.end.kind === 'leaves' || reply?.end.kind === 'delivered';
    return isTold
      ? 'the client is refused at once'
      : 'the refusal itself does not reach the client, which hangs until its timeout';
  }
  if (end.kind === 'unknown' || end.kind === 'bridged') return undefined;
  if (flow.origin === 'local' && end.kind === 'unroutable' && flow.path === undefined)
    return 'the sender gets an error at once';
  return isTcp ? 'the client hangs until its timeout' : 'the client gets no answer';
}

function answerText({ packet }: Flow): string {
  return `returns, if somebody listens there, from ${sideText(packet.source, packet.sourcePort)}`;
}

function sideText(addresses: ValueSet, ports: ValueSet | undefined): string {
  const port = ports === undefined ? undefined : (onlyValue(ports) ?? null);
  return endText(onlyValue(addresses), port);
}
