import { foreignOwner, tableOwner } from '../node/programs/foreignPrograms.ts';
import { enforcesPolicies } from '../node/programs/policyPrograms.ts';
import type { PacketQuestion } from '../trace/question/askPacket.ts';
import { conditionsOf } from '../trace/service/conditionsOf.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import type { WalkEvent } from '../walk/flow.ts';
import { isOfProxy } from '../walk/input/isOfProxy.ts';
import type { WalkRule } from '../walk/input/walkInput.ts';
import { trailItems } from '../walk/values/trail.ts';
import type { Why } from '../why/whyCauses.ts';
import type { ServiceDoor } from './serviceDoors.ts';

/** What a rule of another program does with a packet to a Service. */
export interface Interference {
  /** Of the rule: its place and text. */
  readonly key: string;
  readonly rule: WalkRule;
  readonly action: 'drops' | 'rejects' | 'sends elsewhere' | 'exempts from tracking' | 'lets pass';
  /** Undefined: no known program. */
  readonly program: string | undefined;
  readonly question: PacketQuestion;
  readonly door: ServiceDoor;
  readonly from: 'pod' | 'node' | 'outside';
  /** The rule, or one that led to it, asks by which interface the packet came. */
  readonly asksInterface: boolean;
}

/** Only what is certain: the answer fails, or goes elsewhere, because of a rule that does not belong to kube-proxy. */
export function interferencesOf(
  why: Why,
  { outcomes }: TraceResult,
  asked: { readonly question: PacketQuestion; readonly door: ServiceDoor },
): readonly Interference[] {
  const { from } = asked.question;
  const sender = from === 'node' || from === 'outside' ? from : 'pod';
  return why.causes.flatMap((cause): readonly Interference[] => {
    if (cause.code !== 'somebody-in-front' || cause.isUnknown) return [];
    const [evidence] = cause.evidence;
    if (evidence?.kind !== 'rule') return [];
    for (const at of cause.outcomes) {
      const events = trailItems(outcomes[at]?.first.flow.path);
      const event = events.find(({ rule }) => rule?.text === evidence.text && rule.line === evidence.line);
      if (event?.rule === undefined || isOfProxy(event.chain)) continue;
      const { rule } = event;
      const action = actionOf(event);
      const program = ownerOf(rule, events);
      // What policies deny is denied on purpose.
      const isStopped = action === 'drops' || action === 'rejects';
      if (isStopped && program !== undefined && enforcesPolicies(program)) continue;
      return [
        {
          key: ruleKey(rule),
          rule,
          action,
          program,
          ...asked,
          from: sender,
          asksInterface: asksInterface(events, rule),
        },
      ];
    }
    return [];
  });
}

function asksInterface(events: readonly WalkEvent[], rule: WalkRule): boolean {
  const led = events.flatMap((event) => (event.rule !== undefined && !isOfProxy(event.chain) ? [event.rule] : []));
  return [rule, ...led].some(({ steps }) =>
    conditionsOf(steps).some((one) => {
      const condition = one.kind === 'not' ? one.condition : one;
      return condition.kind === 'interface' && (condition.side === 'in' || condition.side === 'physin');
    }),
  );
}

/** Identified by its place, because rules are read again each time. */
export function ruleKey({ file, line, chain, number }: WalkRule): string {
  return `${file} ${line} ${chain.table.backend} ${chain.table.family} ${chain.table.name} ${chain.name} ${number}`;
}

function actionOf({ action = '', verdict }: WalkEvent): Interference['action'] {
  if (/^(?:dnat|redirect)\b/.test(action)) return 'sends elsewhere';
  if (action === 'notrack') return 'exempts from tracking';
  if (verdict === 'drop') return action === '' ? 'drops' : 'rejects';
  return 'lets pass';
}

/** By the names of its table and chain, or of the chain that led to it. */
function ownerOf(rule: WalkRule, events: readonly WalkEvent[]): string | undefined {
  const own = tableOwner(rule.chain.table.name) ?? foreignOwner(rule.chain.name);
  if (own !== undefined) return own;
  const caller = events.findLast(({ target }) => target === rule.chain.name);
  return caller && foreignOwner(caller.chain.name);
}
