import { endText } from '../../walk/text.ts';
import { hasPorts } from '../hasPorts.ts';
import { protocolName } from '../protocolName.ts';
import type { CauseDraft, Evidence } from './cause.ts';
import { ruleEvidence } from './evidence.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/** No rule has this address, or not this port of it. Undefined: the rules have no Services to ask for. */
export function notAskedFor(
  evidence: readonly Evidence[],
  { result: { packet }, input, catalog, name, entrances }: WhyQuestion,
): CauseDraft | undefined {
  const address = endText(packet.destination, undefined);
  // Rules have it, but for other senders.
  if (entrances.length > 0) {
    return {
      id: 'hooks-missing',
      sentence: `Rules for ${name} are there, and none of them takes this packet.`,
      evidence: [...evidence, ...entrances.flatMap(({ rule }) => (rule === undefined ? [] : [ruleEvidence(rule)]))],
      fix: '`k8snet diff` with the manifests shows what is wrong with these rules.',
    };
  }
  const here = catalog.entrances.filter((one) => one.address === packet.destination);
  const [first] = here;
  if (first !== undefined) {
    const who = here.find(({ service }) => service !== undefined)?.service ?? 'The Service';
    const asked = hasPorts(packet.protocol)
      ? `port ${packet.destinationPort}/${protocolName(packet.protocol)}`
      : protocolName(packet.protocol);
    const offered = here.map(
      ({ port, protocol }) => `${port}/${protocol === undefined ? '?' : protocolName(protocol)}`,
    );
    const rules = here.slice(0, mostShown).flatMap(({ rule }) => (rule === undefined ? [] : [ruleEvidence(rule)]));
    return {
      id: 'not-asked-for',
      sentence: `${who} at ${address} has no ${asked}; it has ${[...new Set(offered)].join(', ')}.`,
      evidence: [...evidence, ...rules],
      fix: 'Use a port of the Service, or add this one to spec.ports: `kubectl edit service NAME`.',
    };
  }
  const isOfProxy = input.tables.some(({ chains }) => chains.has('KUBE-SERVICES') || chains.has('services'));
  const hasServices = (isOfProxy || catalog.entrances.length > 0) && input.topology.routes.length > 0;
  if (!hasServices && evidence.length === 0) return undefined;
  return {
    id: 'not-asked-for',
    sentence: `No rule of this node has the address ${address}: it is no Service's, or kube-proxy does not know the Service.`,
    evidence,
    fix: '`kubectl get services -A -o wide` lists the addresses of Services; `k8snet diff` compares the rules with them.',
  };
}

const mostShown = 3;
