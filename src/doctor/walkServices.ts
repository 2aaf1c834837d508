import type { Family } from '../common/addresses/family.ts';
import type { Finding } from '../findings/finding.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { noConditions } from '../trace/known/noConditions.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import { withOwnAddress } from '../trace/known/withOwnAddress.ts';
import { createNodeTracer, type NodeTracer } from '../trace/nodeTracer.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import { isOfProxy } from '../walk/input/isOfProxy.ts';
import { endText } from '../walk/values/text.ts';
import { trailItems } from '../walk/values/trail.ts';
import { whyCauses } from '../why/whyCauses.ts';
import { foreignRules } from './foreignRules.ts';
import { type Interference, interferencesOf, ruleKey } from './interferencesOf.ts';
import { podSender } from './podSender.ts';
import { type ServiceDoor, serviceDoors } from './serviceDoors.ts';
import { walkFinding } from './walkFinding.ts';

const families = ['ipv4', 'ipv6'] as const;

/**
 * Sends a packet to each kind of address of Services, from a Pod, the node and outside, and tells which rules of other
 * programs stop or take it: a finding a rule. Of many Services those are asked for that such a rule names, and some of each
 * kind; where no other program's rule could touch any, none is. What is not certain is nothing here: `why` says it.
 */
export function walkServices(dump: NodeRules, objects?: TraceObjects): readonly Finding[] {
  const { tracer, hasMadeUpAddress } = addressedTracer(dump, objects);
  const found = new Map<string, [Interference, ...Interference[]]>();
  for (const family of families) {
    const { input } = tracer.tracerOf(family);
    const rules = foreignRules(input);
    if (rules.length === 0) continue;
    const doors = serviceDoors(input, rules);
    const asked = new Map<string, number>();
    const pod = podSender(dump, tracer, family);
    const senders = [...(pod === undefined ? [] : [pod.address]), 'node', 'outside'];
    for (const door of doors) {
      for (const from of senders) {
        for (const interference of interferencesAt(tracer, { from, family }, door, asked)) {
          if (from === pod?.address && !pod.hasInterface && interference.asksInterface) continue;
          const known = found.get(interference.key);
          if (known === undefined) found.set(interference.key, [interference]);
          else known.push(interference);
        }
      }
    }
  }
  return [...found.values()].map((all) => walkFinding(all, hasMadeUpAddress));
}

const mostOfRule = 12;

/** Rules of other programs that decided something about the packet, on any of its ways. */
function foreignRulesMet({ outcomes }: TraceResult): readonly string[] {
  const keys = outcomes.flatMap(({ first }) =>
    trailItems(first.flow.path).flatMap(({ rule, chain, verdict, action }) =>
      rule === undefined || isOfProxy(chain) || verdict === 'jump' || (verdict === 'continue' && action === undefined)
        ? []
        : [ruleKey(rule)],
    ),
  );
  return [...new Set(keys)];
}

/** Every node has an address of its own, whether the dump shows it or not: one of those for documentation stands in for it. */
function addressedTracer(dump: NodeRules, objects: TraceObjects | undefined) {
  const tracer = createNodeTracer(dump, objects);
  const isKnown = families.some(
    (family) => tracer.names.ownAddress(family, tracer.tracerOf(family).context(noConditions)) !== undefined,
  );
  const addressed = isKnown ? undefined : withOwnAddress(dump.network, objects, ['192.0.2.1', '2001:db8::1']);
  return addressed === undefined
    ? { tracer, hasMadeUpAddress: false }
    : { tracer: createNodeTracer(dump, addressed), hasMadeUpAddress: true };
}

/** `asked`: how often each rule was met and asked about; after some times it is known what it does. */
function interferencesAt(
  tracer: NodeTracer,
  { from, family }: { readonly from: string; readonly family: Family },
  door: ServiceDoor,
  asked: Map<string, number>,
): readonly Interference[] {
  const to = door.address === undefined ? `node:${door.port}` : endText(door.address, door.port);
  const question = { from, to, proto: door.protocol };
  const result = tracer.trace(question, {}, family);
  if ('kind' in result) return [];
  const met = foreignRulesMet(result);
  if (met.every((key) => (asked.get(key) ?? 0) >= mostOfRule)) return [];
  for (const key of met) asked.set(key, (asked.get(key) ?? 0) + 1);
  const { input } = tracer.tracerOf(family);
  const why = whyCauses(result, input, tracer.known(question, result));
  return interferencesOf(why, result, { question, door });
}
