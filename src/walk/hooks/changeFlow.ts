import type { Step } from '../../netfilter/meaning.ts';
import { markOfElement } from '../../netfilter/nft/meaning/assignMeaning.ts';
import { drawn } from '../ask/answers.ts';
import { ipsetKey } from '../ask/inIpset.ts';
import { lookInto } from '../ask/lookInto.ts';
import { withoutSupposed } from '../ask/supposed.ts';
import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { fillSet } from './fillSet.ts';
import { remembered } from './memory.ts';

/** Steps after which the next one follows, with a changed flow. */
export type ChangeStep = Extract<
  Step,
  { kind: 'assign' | 'assignFrom' | 'setHeader' | 'notrack' | 'zone' | 'remember' | 'rememberIpset' }
>;

/** The result for a part of the flow; if the condition does not hold, the rule ends. */
export interface Changed {
  readonly flow: Flow;
  readonly holds: boolean;
  readonly action?: string;
}

/** Undefined: it is unknown what the map contains for the key. */
export function changeFlow(
  flow: Flow,
  step: ChangeStep,
  rule: WalkRule,
  context: WalkContext,
): readonly Changed[] | undefined {
  switch (step.kind) {
    case 'assign': {
      const set = assigned(flow, step);
      return [{ flow: set, holds: true, action: markAction(set, step.target) }];
    }
    case 'assignFrom':
      return numbered(flow, step, rule, context);
    case 'setHeader':
      return [{ flow: withHeader(flow, step), holds: true }];
    case 'notrack':
    case 'zone': {
      if (isTaken(flow)) return [{ flow, holds: true }];
      const action = step.kind === 'zone' ? 'ct zone' : step.kind;
      return [{ flow: toldToTrack(flow, step), holds: true, action }];
    }
    case 'remember':
      return fillSet(flow, step, rule, context).map((part) => ({ ...part, action: `set ${step.set}` }));
    case 'rememberIpset':
      return [{ flow: withMember(flow, step, context), holds: true, action: `set ${step.set}` }];
  }
}

/** Before connection tracking looks a packet up, rules decide in which zone, or not at all. */
function toldToTrack(flow: Flow, step: Extract<Step, { kind: 'notrack' | 'zone' }>): Flow {
  return step.kind === 'zone'
    ? { ...flow, zone: { original: step.original, reply: step.reply } }
    : { ...flow, connection: { ...flow.connection, state: 'untracked' } };
}

/**
 * A packet that already has a connection keeps it: over lo, and errors that the node makes; one with a zone keeps the
 * zone.
 */
function isTaken({ connection, zone }: Flow): boolean {
  return connection.state !== 'invalid' || connection.isSettled === true || zone !== undefined;
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

function markAction(flow: Flow, target: 'mark' | 'connectionMark'): string {
  return target === 'mark' ? `mark 0x${flow.mark.toString(16)}` : `ctmark 0x${flow.connection.mark.toString(16)}`;
}

/** With the map's value for the key, or the number that is drawn. Undefined: the map's content is unknown. */
function numbered(
  flow: Flow,
  { target, key, map }: Extract<Step, { kind: 'assignFrom' }>,
  rule: WalkRule,
  context: WalkContext,
): readonly Changed[] | undefined {
  const changed = (part: Flow, value: number): Changed => {
    const set = assigned(part, { kind: 'assign', target, keep: 0, take: 0, flip: value });
    return { flow: set, holds: true, action: markAction(set, target) };
  };
  const [part] = key;
  if (map === undefined && part?.kind === 'generator') {
    return drawn(flow, part, rule).map((one) => changed(one.flow, one.value));
  }
  if (map === undefined) return undefined;
  return lookInto<number>(flow, key, map, markOfElement, rule, context)?.map((found) =>
    found.element === undefined ? { flow: found.flow, holds: false } : changed(found.flow, found.element),
  );
}

/** A hop limit is kept as if the packet had arrived with it. */
function withHeader(flow: Flow, { field, value }: Extract<Step, { kind: 'setHeader' }>): Flow {
  const isSentOn = flow.origin === 'forwarded' && (flow.hook === 'forward' || flow.hook === 'postrouting');
  const isLower = field === 'hopLimit' && isSentOn && !flow.isBridged;
  const kept = isLower && value !== 'unknown' ? value + 1 : value;
  return { ...flow, header: { ...flow.header, [field]: kept } };
}

function withMember(flow: Flow, step: Extract<Step, { kind: 'rememberIpset' }>, context: WalkContext): Flow {
  const set = context.input.ipsets.get(step.set);
  const key = set && ipsetKey(flow, set, step.sides);
  return key === undefined
    ? withoutSupposed(flow, step.set)
    : remembered(flow, `ipset ${step.set}`, key, step.operation === 'delete' ? undefined : context.elapsed);
}
