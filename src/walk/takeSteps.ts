import type { Branch, Rejection, Step } from '../netfilter/meaning.ts';
import { branchOf } from '../netfilter/nft/statementMeaning.ts';
import { unknownAnswer } from './answers.ts';
import { ask } from './ask.ts';
import type { WalkContext } from './context.ts';
import type { Flow } from './flow.ts';
import { ipsetKey } from './inIpset.ts';
import { lookInto } from './lookInto.ts';
import { remembered, setList } from './memory.ts';
import { type Translated, translate } from './nat.ts';
import { rejectionText } from './rejectionText.ts';
import { seenKeyText } from './seenKeyText.ts';
import type { WalkRule } from './walkInput.ts';

/** What a rule did to a part of the flow. */
export type RuleOutcome =
  | { readonly kind: 'missed'; readonly flow: Flow }
  | { readonly kind: 'continue'; readonly flow: Flow; readonly action?: string }
  | { readonly kind: 'branch'; readonly flow: Flow; readonly branch: Branch; readonly action?: string }
  | { readonly kind: 'rejected'; readonly flow: Flow; readonly rejection: Rejection; readonly action: string }
  | { readonly kind: 'accepted' | 'dropped'; readonly flow: Flow; readonly action: string }
  | { readonly kind: 'unknown'; readonly flow: Flow; readonly why: string };

/** Takes the steps of a rule from `from` on, until a condition does not hold or something ends the packet's way here. */
export function takeSteps(
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
      case 'zone':
        if (isTaken(flow)) continue;
        flow = toldToTrack(flow, step);
        action = step.kind === 'zone' ? 'ct zone' : step.kind;
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

/** Before connection tracking looks a packet up, rules say where, or not at all. */
function toldToTrack(flow: Flow, step: Extract<Step, { kind: 'notrack' | 'zone' }>): Flow {
  return step.kind === 'zone'
    ? { ...flow, zone: { original: step.original, reply: step.reply } }
    : { ...flow, connection: { ...flow.connection, state: 'untracked' } };
}

/** What has a connection already keeps it: over lo, and errors that the node makes; what has a zone, that. */
function isTaken({ connection, zone }: Flow): boolean {
  return connection.state !== 'invalid' || connection.isSettled === true || zone !== undefined;
}

function mapName(map: string | readonly unknown[]): string {
  return typeof map === 'string' ? `@${map}` : 'of the rule';
}

function assigned(flow: Flow, { target, keep, source, take, flip }: Extract<Step, { kind: 'assign' }>): Flow {
  const { state } = flow.connection;
  const isOfConnection = target === 'connectionMark' || source === 'connectionMark';
  const isNone = flow.zone === undefined || target === 'connectionMark';
  if (isOfConnection && isNone && (state === 'invalid' || state === 'untracked')) return flow;
  const old = target === 'mark' ? flow.mark : flow.connection.mark;
  const connectionMark = flow.zone === undefined ? flow.connection.mark : 0;
  const other = source === undefined ? 0 : source === 'mark' ? flow.mark : connectionMark;
  const value = ((old & keep) ^ (other & take) ^ flip) >>> 0;
  return target === 'mark' ? { ...flow, mark: value } : { ...flow, connection: { ...flow.connection, mark: value } };
}

function withElement(
  flow: Flow,
  step: Extract<Step, { kind: 'remember' }>,
  rule: WalkRule,
  context: WalkContext,
): Flow {
  const key = seenKeyText(flow, step.key, context);
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
