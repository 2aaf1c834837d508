import type { Branch, Rejection } from '../../netfilter/meaning.ts';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import type { WalkContext, WalkNotes } from '../context.ts';
import type { EventVerdict, Flow } from '../flow.ts';
import type { WalkChain, WalkRule } from '../input/walkInput.ts';
import { type Frame, frameAt, type Work } from './frame.ts';
import type { RuleOutcome } from './takeSteps.ts';
import { withEvent } from './withEvent.ts';

/** A chain that part of a table does not show, or only in part. */
export interface UnseenChain {
  readonly chain: string;
  readonly isBegun: boolean;
}

/** How a flow left a base chain. */
export interface Left {
  readonly flow: Flow;
  readonly verdict: 'accept' | 'drop' | 'unknown';
  /** What the sender learns from the drop. */
  readonly rejection?: Rejection;
  readonly byIpvs?: true;
  /** Of `unknown`. */
  readonly why?: string;
  /** Of `unknown`. */
  readonly unseen?: UnseenChain;
}

/** Where the flow continues after a rule; undefined: it left the base chain. */
export function followOutcome(
  outcome: RuleOutcome,
  rule: WalkRule,
  frame: Frame,
  left: Left[],
  { notes }: WalkContext,
): Work | undefined {
  const { chain } = rule;
  const action = 'action' in outcome ? outcome.action : undefined;
  const event = (verdict: EventVerdict, target?: string) =>
    withEvent(outcome.flow, chain, rule, verdict, { target, policy: undefined, action });
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
      return followBranch(outcome.branch, rule, frame, left, event, notes);
  }
}

function followBranch(
  branch: Branch,
  rule: WalkRule,
  frame: Frame,
  left: Left[],
  event: (verdict: EventVerdict, target?: string) => Flow,
  notes: WalkNotes,
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
        return { flow, frame: frameAt(frame, Number.MAX_SAFE_INTEGER) };
      }
      case 'queue':
      case 'stolen':
        left.push({ flow: event(branch.verdict), verdict: 'unknown', why: 'a program outside the kernel decides' });
        return undefined;
    }
  }
  const flow = event(branch.kind, branch.chain);
  const chain = table.chains.get(branch.chain);
  if (chain === undefined) return followUnseen(branch.chain, flow, rule, frame, left, notes);
  if (leadsBack(frame, chain)) {
    left.push({ flow, verdict: 'unknown', why: `chains lead to each other without end: ${branch.chain}` });
    return undefined;
  }
  // A goto in a base chain leads to its policy in the end.
  const isBase = frame.chain.base !== undefined;
  const back = branch.kind === 'jump' ? frame : isBase ? frameAt(frame, Number.MAX_SAFE_INTEGER) : frame.back;
  return { flow, frame: { chain, at: 0, back, above: frame } };
}

/**
 * In a whole table a missing chain has no rules, since the table would not load; in a part of a table its rules are
 * unknown.
 */
function followUnseen(
  name: string,
  flow: Flow,
  { chain: { table } }: WalkRule,
  frame: Frame,
  left: Left[],
  { assumed }: WalkNotes,
): Work | undefined {
  if (table.isPart === undefined || (table.isWritten && !isServiceChain(name))) return { flow, frame };
  // It marks the packet and returns, in every version.
  if (name === 'KUBE-MARK-MASQ') {
    assumed.add(`${name}: not shown; whether the source is replaced is left open`);
    return { flow, frame };
  }
  left.push({
    flow,
    verdict: 'unknown',
    why: `it goes to ${name}, which the dump does not show`,
    unseen: { chain: name, isBegun: false },
  });
  return undefined;
}

/** The kernel refuses rules that lead in a circle. */
function leadsBack(from: Frame, chain: WalkChain): boolean {
  for (let frame: Frame | undefined = from; frame !== undefined; frame = frame.above) {
    if (frame.chain === chain) return true;
  }
  return false;
}
