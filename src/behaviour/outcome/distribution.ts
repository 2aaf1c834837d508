import type { Value } from '../../common/ranges/valueRange.ts';
import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import { startFlow } from '../../trace/question/startFlow.ts';
import type { TracePacket } from '../../trace/question/tracePacket.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { Flow } from '../../walk/flow.ts';
import type { Ended } from '../../walk/hooks/walkHook.ts';
import { approximate } from '../../walk/values/fraction.ts';
import { trailItems } from '../../walk/values/trail.ts';
import { walkStart } from '../../walk/walkFlow.ts';
import { type BehaviourOutcome, outcomeOf } from './outcome.ts';
import { outcomeKey } from './outcomeKey.ts';

/** The outcomes of a packet that can be distinguished, and their shares. */
export interface Distribution {
  readonly outcomes: ReadonlyMap<string, { readonly outcome: BehaviourOutcome; readonly share: number }>;
  /** Conditions with an unknown answer are on the way: each of these outcomes is possible, with any share. */
  readonly isOpen: boolean;
  /** Source ports that rules distinguish, if the packet may have any. */
  readonly sourcePorts?: readonly ValueSet[];
}

/** Walks a new connection, and if rules remember the sender, the next one too. */
export function distributionOf(packet: TracePacket, context: WalkContext): Distribution {
  const start = startFlow(packet, context);
  const isV6 = packet.family === 'ipv6';
  const outcomes = new Map<string, { outcome: BehaviourOutcome; share: number }>();
  const sourcePorts = new Set<ValueSet>();
  let isOpen = false;
  // Each way that an unknown answer leaves open is walked again: of hundreds to one end, one stands for all.
  const openMemories = new Map<string, number | undefined>();
  const memoryFor = (end: string, ended: Ended) => {
    if (ended.flow.share === undefined && openMemories.has(end)) return openMemories.get(end);
    const memory = memoryOf(start, ended, context);
    if (ended.flow.share === undefined) openMemories.set(end, memory);
    return memory;
  };
  for (const ended of walkStart(start, context)) {
    const { share, entry } = ended.flow;
    if (entry.sourcePort !== undefined && entry.sourcePort !== start.entry.sourcePort)
      sourcePorts.add(entry.sourcePort);
    if (share === undefined) isOpen = true;
    const found = told(outcomeOf(ended), packet);
    if (found.kind === 'unknown') isOpen = true;
    const staysFor = found.kind === 'arrives' ? memoryFor(outcomeKey(found, packet.protocol, isV6), ended) : undefined;
    const outcome = staysFor === undefined ? found : { ...found, staysFor };
    const key = outcomeKey(outcome, packet.protocol, isV6);
    const known = outcomes.get(key);
    const part = share === undefined ? 0 : share.den === 1n ? 1 : approximate(share);
    if (known === undefined) outcomes.set(key, { outcome, share: part });
    else known.share += part;
  }
  return {
    outcomes: withoutChoice(outcomes, packet.protocol, isV6),
    isOpen,
    ...(sourcePorts.size > 0 && { sourcePorts: [...sourcePorts] }),
  };
}

/** A sender with only one endpoint stays with it, whether or not rules remember it. */
function withoutChoice(
  outcomes: ReadonlyMap<string, { outcome: BehaviourOutcome; share: number }>,
  protocol: number,
  isV6: boolean,
): Distribution['outcomes'] {
  const [only, ...more] = outcomes.values();
  if (only?.outcome.staysFor === undefined || more.length > 0) return outcomes;
  const { staysFor: _, ...outcome } = only.outcome;
  return new Map([[outcomeKey(outcome, protocol, isV6), { outcome, share: only.share }]]);
}

/** Many kernels do not load SCTP by themselves, and then nothing on the node can send or receive it. */
function told(outcome: BehaviourOutcome, { protocol, origin }: TracePacket): BehaviourOutcome {
  if (outcome.kind !== 'node' || protocol !== sctp || origin !== 'local') return outcome;
  return {
    ...outcome,
    kind: 'unknown',
    why: 'SCTP from the node to itself: whether its kernel speaks SCTP is not known',
  };
}

const sctp = 132;

/** How long the sender's next connections go to the same endpoint; undefined: they may go elsewhere at once. */
function memoryOf(start: Flow, { flow }: Ended, context: WalkContext): number | undefined {
  if (flow.memory === undefined || flow.memory === start.memory) return undefined;
  // Where it is open whether the next connection gets anywhere, it is remembered by where it gets to.
  const again = walkStart({ ...start, memory: flow.memory }, context).filter(({ end }) => isOnItsWay(end));
  if (again.length === 0) return undefined;
  const address = onlyValue(flow.packet.destination);
  const isSame = again.every(({ flow: other }) => onlyValue(other.packet.destination) === address);
  if (!isSame) return undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const { flow: other } of again) shortest = Math.min(shortest, timeoutOf(other, context) ?? shortest);
  return shortest;
}

function isOnItsWay({ kind }: Ended['end']): boolean {
  return kind === 'leaves' || kind === 'bridged' || kind === 'delivered';
}

/** The time that the rule allows that found the sender in its list. */
function timeoutOf(flow: Flow, { input }: WalkContext): number | undefined {
  for (const { chain, rule } of trailItems(flow.path)) {
    for (const step of rule?.steps ?? []) {
      if (step.kind !== 'ask') continue;
      const { condition } = step;
      if (condition.kind === 'recent' && condition.seconds !== undefined) return condition.seconds * 1000;
      if (condition.kind === 'lookup' && typeof condition.set === 'string') {
        const timeout = chain.table.sets.get(condition.set)?.timeout;
        if (timeout !== undefined) return timeout;
      }
    }
  }
  const server = flow.connection.ipvsServer;
  const service = server && input.ipvs.find(({ servers }) => servers.includes(server));
  return service?.persistence === undefined ? undefined : service.persistence * 1000;
}

/** The endpoints that packets arrive at. */
export function arrivalsOf({ outcomes }: Distribution): readonly Value[] {
  const found: Value[] = [];
  for (const { outcome } of outcomes.values()) {
    if (outcome.kind === 'arrives' && outcome.at?.address !== undefined) found.push(outcome.at.address);
  }
  return found;
}
