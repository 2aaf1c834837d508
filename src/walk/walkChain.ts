import type { Branch, Rejection, Step } from '../netfilter/meaning.ts';
import { branchOf } from '../netfilter/nft/statementMeaning.ts';
import { unknownAnswer } from './answers.ts';
import { ask } from './ask.ts';
import { type ChainIndex, indexChain, nextPlace } from './chainIndex.ts';
import { cached, type WalkContext } from './context.ts';
import { appended, type EventVerdict, type Flow, type WalkEvent } from './flow.ts';
import { ipsetKey } from './inIpset.ts';
import { keyText, lookInto } from './lookInto.ts';
import { remembered, setList } from './memory.ts';
import { type Translated, translate } from './nat.ts';
import { onlyValue } from './valueSet.ts';
import type { WalkChain, WalkRule } from './walkInput.ts';

/** How a flow left a base chain. */
export interface Left {
  readonly flow: Flow;
  readonly verdict: 'accept' | 'drop' | 'unknown';
  /** What the drop tells the sender. */
  readonly rejection?: Rejection;
  readonly byIpvs?: true;
  /** Of `unknown`. */
  readonly why?: string;
}

/** Walks a base chain: every way that flows take through its rules and those that they lead to. */
export function walkBaseChain(chain: WalkChain, flow: Flow, context: WalkContext): readonly Left[] {
  const left: Left[] = [];
  // Worked off from the end: what matched before what did not, so that outcomes stand in the order of the rules.
  const work: Work[] = [{ flow, frame: { chain, at: 0, back: undefined, above: undefined } }];
  let steps = 0;
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    steps += 1;
    const isOpen = item.flow.share === undefined && work.length + left.length > mostOpen;
    if (steps > mostSteps || isOpen || isTired(context)) {
      left.push({
        flow: item.flow,
        verdict: 'unknown',
        why: 'the rules divide the packet more often than can be followed',
      });
      continue;
    }
    advance(item, work, left, context);
  }
  return left;
}

function isTired({ work }: WalkContext): boolean {
  return work !== undefined && work.steps > mostStepsOfAll;
}

interface Work {
  readonly flow: Flow;
  readonly frame: Frame;
}

/** A place in a chain, and where the packet goes when the chain ends. */
interface Frame {
  readonly chain: WalkChain;
  readonly at: number;
  readonly back: Frame | undefined;
  /** What led here, by a goto too. */
  readonly above: Frame | undefined;
}

const mostSteps = 100_000;
const mostStepsOfAll = 2_000_000;
/** Ways behind conditions that nobody can answer: each such condition doubles them. */
const mostOpen = 256;

/** Goes on until the flow leaves the base chain or falls apart. */
function advance(start: Work, work: Work[], left: Left[], context: WalkContext): void {
  let { flow, frame } = start;
  for (;;) {
    if (context.work !== undefined) context.work.steps += 1;
    const rules = rulesOf(frame.chain, context);
    const at = nextRule(frame, rules, flow, context);
    const rule = rules[at];
    if (rule === undefined) {
      const ended = atEnd(flow, frame);
      if (ended.frame === undefined) {
        left.push({ flow: ended.flow, verdict: frame.chain.base?.policy ?? 'accept' });
        return;
      }
      ({ flow, frame } = { flow: ended.flow, frame: ended.frame });
      continue;
    }
    const outcomes = takeSteps(flow, rule, 0, context);
    const [only] = outcomes;
    if (only !== undefined && outcomes.length === 1) {
      const next = follow(only, rule, { ...frame, at: at + 1 }, left);
      if (next === undefined) return;
      ({ flow, frame } = next);
      continue;
    }
    const further = outcomes.flatMap((outcome) => follow(outcome, rule, { ...frame, at: at + 1 }, left) ?? []);
    for (const next of further.reverse()) work.push(next);
    return;
  }
}

export function rulesOf(chain: WalkChain, context: WalkContext): readonly WalkRule[] {
  return cached(context, chain, () => chain.rules());
}

function nextRule(frame: Frame, rules: readonly WalkRule[], flow: Flow, context: WalkContext): number {
  const index = cached<{ readonly index: ChainIndex | undefined }>(context, rules, () => ({
    index: indexChain(rules),
  })).index;
  const values = index && flow.packet[index.field];
  const value = values && onlyValue(values);
  return index === undefined || value === undefined ? frame.at : nextPlace(index, value, frame.at, rules.length);
}

/** The end of a chain: back to the caller, or the policy. */
function atEnd(flow: Flow, frame: Frame): { readonly flow: Flow; readonly frame: Frame | undefined } {
  const { chain, back } = frame;
  if (chain.base !== undefined) {
    return { flow: withEvent(flow, chain, undefined, 'policy', { policy: chain.base.policy }), frame: undefined };
  }
  return { flow: withEvent(flow, chain, undefined, 'end'), frame: back };
}

/** What a rule did to a part of the flow. */
type RuleOutcome =
  | { readonly kind: 'missed'; readonly flow: Flow }
  | { readonly kind: 'continue'; readonly flow: Flow; readonly action?: string }
  | { readonly kind: 'branch'; readonly flow: Flow; readonly branch: Branch; readonly action?: string }
  | { readonly kind: 'rejected'; readonly flow: Flow; readonly rejection: Rejection; readonly action: string }
  | { readonly kind: 'accepted' | 'dropped'; readonly flow: Flow; readonly action: string }
  | { readonly kind: 'unknown'; readonly flow: Flow; readonly why: string };

/** Where the flow goes behind a rule; undefined: it left the base chain. */
function follow(outcome: RuleOutcome, rule: WalkRule, frame: Frame, left: Left[]): Work | undefined {
  const { chain } = rule;
  const named = 'action' in outcome && outcome.action !== undefined ? { action: outcome.action } : {};
  const event = (verdict: EventVerdict, more: Partial<WalkEvent> = {}) =>
    withEvent(outcome.flow, chain, rule, verdict, { ...named, ...more });
  switch (outcome.kind) {
    case 'missed':
      return { flow: outcome.flow, frame };
    case 'continue':
      return { flow: event('continue'), frame };
    case 'accepted':
      left.push({ flow: event('accept'), verdict: 'accept' });
      return undefined;
    case 'dropped':
      left.push({ flow: event('drop'), verdict: 'drop' });
      return undefined;
    case 'rejected':
      left.push({ flow: event('drop'), verdict: 'drop', rejection: outcome.rejection });
      return undefined;
    case 'unknown':
      left.push({ flow: event('stolen'), verdict: 'unknown', why: outcome.why });
      return undefined;
    case 'branch':
      return followBranch(outcome.branch, rule, frame, left, event);
  }
}

function followBranch(
  branch: Branch,
  rule: WalkRule,
  frame: Frame,
  left: Left[],
  event: (verdict: EventVerdict, more?: Partial<WalkEvent>) => Flow,
): Work | undefined {
  const { table } = rule.chain;
  if (branch.kind === 'verdict') {
    switch (branch.verdict) {
      case 'continue':
        return { flow: event('continue'), frame };
      case 'accept':
      case 'drop':
        left.push({ flow: event(branch.verdict), verdict: branch.verdict });
        return undefined;
      case 'return': {
        const flow = event('return');
        if (frame.back !== undefined && frame.chain.base === undefined) return { flow, frame: frame.back };
        return { flow, frame: { ...frame, at: Number.MAX_SAFE_INTEGER } };
      }
      case 'queue':
      case 'stolen':
        left.push({ flow: event(branch.verdict), verdict: 'unknown', why: 'a program outside the kernel decides' });
        return undefined;
    }
  }
  const flow = event(branch.kind, { target: branch.chain });
  const chain = table.chains.get(branch.chain);
  // A chain that is not there holds no rules; such a dump would not load.
  if (chain === undefined) return { flow, frame };
  if (leadsBack(frame, chain)) {
    left.push({ flow, verdict: 'unknown', why: `chains lead to each other without end: ${branch.chain}` });
    return undefined;
  }
  // From a base chain a goto leads to its policy in the end.
  const isBase = frame.chain.base !== undefined;
  const back = branch.kind === 'jump' ? frame : isBase ? { ...frame, at: Number.MAX_SAFE_INTEGER } : frame.back;
  return { flow, frame: { chain, at: 0, back, above: frame } };
}

/** The kernel refuses rules that lead in a circle. */
function leadsBack(from: Frame, chain: WalkChain): boolean {
  for (let frame: Frame | undefined = from; frame !== undefined; frame = frame.above) {
    if (frame.chain === chain) return true;
  }
  return false;
}

export function withEvent(
  flow: Flow,
  chain: WalkChain,
  rule: WalkRule | undefined,
  verdict: EventVerdict,
  more: Partial<WalkEvent> = {},
): Flow {
  const event: WalkEvent = { hook: flow.hook, leg: flow.leg, chain, rule, verdict, mark: flow.mark, ...more };
  return { ...flow, path: appended(flow.path, event) };
}

/** Takes the steps of a rule from `from` on, until a condition does not hold or something ends the packet's way here. */
function takeSteps(
  start: Flow,
  rule: WalkRule,
  from: number,
  context: WalkContext,
  before?: string,
): readonly RuleOutcome[] {
  let flow = start;
  let action = before;
  for (let at = from; at < rule.steps.length; at += 1) {
    const step = rule.steps[at] as Step;
    const named = action === undefined ? {} : { action };
    switch (step.kind) {
      case 'ask': {
        const answer = ask(flow, step.condition, rule, context);
        if (answer === true) continue;
        if (answer === false) return [{ kind: 'missed', flow }];
        const next = at + 1;
        return answer.flatMap((part): readonly RuleOutcome[] =>
          part.holds ? takeSteps(part.flow, rule, next, context, action) : [{ kind: 'missed', flow: part.flow }],
        );
      }
      case 'verdict':
      case 'jump':
      case 'goto':
        return [{ kind: 'branch', flow, branch: step, ...named }];
      case 'verdictMap': {
        const found = lookInto<Branch>(flow, step.key, step.map, branchOf, rule, context);
        if (found === undefined)
          return [{ kind: 'unknown', flow, why: `it is unknown what the map ${mapName(step.map)} holds for it` }];
        return found.map(
          ({ flow: part, element }): RuleOutcome =>
            element === undefined
              ? { kind: 'missed', flow: part }
              : { kind: 'branch', flow: part, branch: element, ...named },
        );
      }
      case 'reject':
        return [{ kind: 'rejected', flow, rejection: step.rejection, action: rejectionText(step.rejection, flow) }];
      case 'assign':
        flow = assigned(flow, step);
        action = `${step.target === 'mark' ? 'mark' : 'ctmark'} 0x${(step.target === 'mark' ? flow.mark : flow.connection.mark).toString(16)}`;
        continue;
      case 'nat':
        return translate(flow, step, flow.hook, rule, context).map(translationOutcome);
      case 'notrack':
        // What has a connection already keeps it: over lo, and errors that the node makes.
        if (flow.connection.state !== 'invalid' || flow.connection.isSettled) continue;
        flow = { ...flow, connection: { ...flow.connection, state: 'untracked' } };
        action = 'notrack';
        continue;
      case 'remember':
        flow = withElement(flow, step, rule, context);
        action = `set ${step.set}`;
        continue;
      case 'rememberIpset':
        flow = withMember(flow, step, context);
        action = `set ${step.set}`;
        continue;
      case 'note':
        continue;
      case 'unknown': {
        const answer = unknownAnswer(flow, step.text, rule, context);
        return typeof answer === 'boolean'
          ? []
          : [{ kind: 'unknown', flow: { ...flow, share: undefined }, why: `what "${step.text}" does is not known` }];
      }
    }
  }
  return [{ kind: 'continue', flow, ...(action !== undefined && { action }) }];
}

function translationOutcome(result: Translated): RuleOutcome {
  switch (result.kind) {
    case 'translated':
      return { kind: 'accepted', flow: result.flow, action: result.action };
    case 'missed':
      return { kind: 'missed', flow: result.flow };
    case 'lost':
      return { kind: 'dropped', flow: result.flow, action: result.action };
    default:
      return { kind: 'unknown', flow: result.flow, why: result.text };
  }
}

function mapName(map: string | readonly unknown[]): string {
  return typeof map === 'string' ? `@${map}` : 'of the rule';
}

function assigned(flow: Flow, { target, keep, source, take, flip }: Extract<Step, { kind: 'assign' }>): Flow {
  const { state } = flow.connection;
  const isOfConnection = target === 'connectionMark' || source === 'connectionMark';
  if (isOfConnection && (state === 'invalid' || state === 'untracked')) return flow;
  const old = target === 'mark' ? flow.mark : flow.connection.mark;
  const other = source === undefined ? 0 : source === 'mark' ? flow.mark : flow.connection.mark;
  const value = ((old & keep) ^ (other & take) ^ flip) >>> 0;
  return target === 'mark' ? { ...flow, mark: value } : { ...flow, connection: { ...flow.connection, mark: value } };
}

function withElement(
  flow: Flow,
  step: Extract<Step, { kind: 'remember' }>,
  rule: WalkRule,
  context: WalkContext,
): Flow {
  const key = keyText(flow, step.key, context);
  if (key === undefined) return flow;
  return remembered(
    flow,
    setList(rule.chain.table, step.set),
    key,
    step.operation === 'delete' ? undefined : context.elapsed,
  );
}

function withMember(flow: Flow, step: Extract<Step, { kind: 'rememberIpset' }>, context: WalkContext): Flow {
  const set = context.input.ipsets.get(step.set);
  const key = set && ipsetKey(flow, set, step.sides);
  return key === undefined
    ? flow
    : remembered(flow, `ipset ${step.set}`, key, step.operation === 'delete' ? undefined : context.elapsed);
}

export function rejectionText(rejection: Rejection, flow: Flow): string {
  if (rejection.kind === 'reset') return 'tcp-reset';
  const isV6 = typeof flow.packet.source[0]?.first === 'bigint';
  const [type, code] = isV6 ? rejection.v6 : rejection.v4;
  return `${isV6 ? 'icmpv6' : 'icmp'} ${type}/${code}`;
}
