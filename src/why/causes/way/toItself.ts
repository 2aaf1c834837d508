import { onlyValue } from '../../../common/ranges/valueSet.ts';
import type { TracedOutcome } from '../../../trace/traceResult.ts';
import { addressText } from '../../../walk/values/text.ts';
import type { CauseDraft } from '../../cause.ts';
import { fact } from '../../evidence.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';
import { unmasqueraded } from './unmasqueraded.ts';

/**
 * A Pod that is an endpoint of the Service it uses gets its own packet back: this checks by which port of the bridge,
 * and with which source.
 */
export function toItself(outcome: TracedOutcome, question: WhyQuestion): CauseDraft | undefined {
  const { packet } = outcome.first.flow;
  const [source, destination] = [onlyValue(packet.source), onlyValue(packet.destination)];
  const { result, input } = question;
  if (destination === undefined || destination !== result.packet.source || result.packet.origin === 'local')
    return undefined;
  const address = addressText(destination);
  if (source === destination) {
    const lost = unmasqueraded(outcome);
    const itself = `${address} asks itself by its Service and gets the packet with its own address as the sender: it drops it.`;
    return {
      code: 'way-back',
      what: lost === undefined ? `${itself} No rule masquerades the packet.` : `${itself} ${lost.what}`,
      evidence: lost?.evidence ?? [],
      fix: lost?.fix ?? 'Compare the rules with the manifests: `k8snet diff`.',
    };
  }
  const ports = [...input.topology.interfaces.values()].filter(({ bridge }) => bridge !== undefined);
  const off = ports.filter(({ isHairpin }) => !isHairpin);
  const own = input.topology.pods.find(({ addresses }) => addresses.includes(destination))?.interface;
  if (off.length === 0 || ports.some(({ name }) => name === own)) return undefined;
  return {
    code: 'way-back',
    what: `Whether ${address} reaches itself by its Service is unknown: hairpin mode is off on ${off.length === 1 ? 'the bridge port' : 'bridge ports, one of them'} ${off[0]?.name}, and which port is this Pod's was not given.`,
    evidence: [fact(`hairpin off on ${off.length} of ${ports.length} bridge ports`)],
    fix: `Find the Pod's port: \`bridge fdb show\` has its MAC address (\`ip neigh show ${address}\` on the node). Where hairpin is off, set hairpinMode: true in the configuration of the CNI plug-in.`,
    isUnknown: true,
  };
}
