import { type Way, wayOf } from '../../behaviour/outcome/way.ts';
import { familyNames } from '../../common/addresses/family.ts';
import { createNodeTracer } from '../../trace/nodeTracer.ts';
import { isTranslated } from '../../walk/ask/isTranslated.ts';
import type { Cause } from '../../why/cause.ts';
import { type Why, whyCauses } from '../../why/whyCauses.ts';
import { isDenied } from '../policyAnswers.ts';
import type { NodeQuestion } from './nodeQuestion.ts';
import type { NodeSeen } from './nodeSeen.ts';
import type { Walked } from './nodeWalks.ts';

export interface PlannedSide {
  readonly ways: readonly Way[];
  /** The packet fails by the rules that should be there too, for the same reason: somebody wants it so. */
  readonly isMeant: (walk: Walked, cause: Cause) => boolean;
}

/** Rules are planned and walked only where a packet fails. */
export function plannedSide({ planned, question }: NodeSeen, failing: readonly Walked[]): PlannedSide {
  if (planned === undefined || failing.length === 0) {
    return { ways: [], isMeant: (walk, { code }) => byDesign.has(code) || isForbidden(walk, code, question) };
  }
  const tracer = createNodeTracer(planned.rules, planned.objects);
  const answers = new Map<Walked, Why>();
  const ways = failing.flatMap((walk): readonly Way[] => {
    const result = tracer.trace(walk.question, {}, walk.result.packet.family);
    if ('kind' in result) return [];
    const { input } = tracer.tracerOf(result.packet.family);
    answers.set(walk, whyCauses(result, input, tracer.known(walk.question, result)));
    return [wayOf(result, input)];
  });
  return {
    ways,
    isMeant: (walk, { code }) => {
      if (isForbidden(walk, code, question)) return true;
      if (isToNobody(walk, code, question)) return true;
      const { verdict, causes = [] } = answers.get(walk) ?? {};
      // Where kube-proxy itself takes the packet to nobody, it is no fault that another rule stops it first.
      const isRefused = verdict === 'fails' && causes.some((planned) => byDesign.has(planned.code));
      return isRefused || (!ofNetwork.has(code) && causes.some((planned) => planned.code === code));
    },
  };
}

/** Causes that a Service may ask for: policy Local, source ranges, node ports on some addresses only. */
export const byDesign: ReadonlySet<string> = new Set([
  'no-local-endpoint',
  'source-not-allowed',
  'not-asked-for',
  'no-endpoints',
]);

/** Which are the node's own, and the same for all rules. */
const ofNetwork: ReadonlySet<string> = new Set(['routing', 'way-back', 'state']);

/**
 * The Service has no endpoints of the packet's family, so no rule translates the packet: where its address leads does not
 * matter, as it would be refused there.
 */
function isToNobody({ result: { packet, outcomes } }: Walked, id: Cause['code'], { objects }: NodeQuestion): boolean {
  const ports = objects?.asked.servicePorts.filter(({ family }) => family === packet.family) ?? [];
  return (
    id === 'routing' &&
    ports.length > 0 &&
    ports.every(({ endpoints }) => endpoints.length === 0) &&
    outcomes.every(({ first }) => !isTranslated(first.flow.connection, 'destination'))
  );
}

export function meantText(walk: Walked, { code, what }: Cause, question: NodeQuestion): string {
  if (!isToNobody(walk, code, question)) return what;
  const family = familyNames[walk.result.packet.family];
  return `the Service has no ${family} endpoints, so nobody answers there.`;
}

/** The network plugin stops what NetworkPolicies forbid. */
function isForbidden({ question: { from } }: Walked, id: Cause['code'], { objects }: NodeQuestion): boolean {
  if (objects?.policies === undefined || (id !== 'somebody-in-front' && id !== 'network-policy')) return false;
  return isDenied(objects.policies.outcomeOf(from));
}
