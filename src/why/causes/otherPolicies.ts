import { onlyValue } from '../../common/ranges/valueSet.ts';
import { othersNamed } from '../../model/othersText.ts';
import { arrives } from '../../trace/traceResult.ts';
import type { CauseDraft } from '../cause.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** Policies of kinds that are not read may stop what the rules admit. */
export function otherPolicies(question: WhyQuestion): CauseDraft | undefined {
  const { result, known } = question;
  const { otherPolicies: all = [] } = known;
  if (all.length === 0 || !result.outcomes.some(({ first }) => arrives(first.end))) return undefined;
  const about = namespacesOf(question);
  const others = all.filter(({ namespace }) => namespace === undefined || about.has(namespace));
  const whom = othersNamed(others);
  if (whom === undefined) return undefined;
  const isOne = others.length === 1;
  return {
    code: 'network-policy',
    what: `${whom} ${isOne ? 'decides' : 'decide'} about this packet too, and k8snet does not read ${isOne ? 'it' : 'them'}: whether ${isOne ? 'it lets' : 'they let'} it pass is unknown.`,
    evidence: [],
    fix: 'Ask the program that serves these policies what it decides about the connection.',
    isUnknown: true,
  };
}

/** Those that concern the Pods at both ends, and the Service. */
function namespacesOf({ result, input, known: { destination } }: WhyQuestion): ReadonlySet<string> {
  const { packet, outcomes } = result;
  const ends = outcomes.map(({ first }) => onlyValue(first.flow.packet.destination));
  const asked = new Set([packet.source, packet.destination, ...ends]);
  const pods = input.topology.pods.filter(({ addresses }) => addresses.some((address) => asked.has(address)));
  const names = [...pods.map(({ name }) => name), ...(destination === undefined ? [] : [destination.service])];
  return new Set(names.flatMap((name) => (name.includes('/') ? [name.slice(0, name.indexOf('/'))] : [])));
}
