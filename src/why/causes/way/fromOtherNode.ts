import { memoized } from '../../../common/memoized.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { addressText } from '../../../walk/values/text.ts';
import type { CauseDraft } from '../../cause.ts';
import { isForClusterIp } from '../../clusterIps.ts';
import { fact } from '../../evidence.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/**
 * A Pod of another node uses a cluster IP: that node translates its packets, and this one meets them at best after that. Every outcome
 * asks, and a cluster may have a hundred thousand Pods.
 */
export const fromOtherNode = memoized((question: WhyQuestion): CauseDraft | undefined => {
  const { packet } = question.result;
  const { node: own, pods } = question.input.topology;
  if (packet.origin === 'local' || question.known.isInterfaceGiven || own === undefined) return undefined;
  // A Pod in the network of its node has the node's address.
  const senders = pods.filter(({ addresses }) => addresses.includes(packet.source));
  const [sender] = senders;
  const { node: home } = sender ?? {};
  if (sender === undefined || home === undefined || senders.some(({ node }) => node !== home)) return undefined;
  if (home.toLowerCase() === own.toLowerCase() || !isForClusterIp(question)) return undefined;
  const [name, node, address] = [escapeText(sender.name), escapeText(home), addressText(packet.destination)];
  return {
    code: 'routing',
    what: `${name} runs on node ${node}, whose rules translate what it sends to the cluster IP ${address}: none of it comes to this node with that address, so this node's rules do not tell what becomes of it.`,
    evidence: [fact(`${addressText(packet.source)} is Pod ${name} on node ${node}`)],
    fix: `Ask node ${node}: \`k8snet why\` with its dump, or with node/${node} and --live.`,
    isUnknown: true,
  };
});
