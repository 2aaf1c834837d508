import { memoized } from '../../../common/memoized.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { addressText } from '../../../walk/values/text.ts';
import type { CauseDraft } from '../../cause.ts';
import { isForClusterIp, isTranslatedAtSender } from '../../clusterIps.ts';
import { fact } from '../../evidence.ts';
import { nodeAt, nodeBehind } from '../../nodeBehind.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/**
 * Somebody of another node uses an address of a Service: that node translates its packets, and this one meets them at best after that.
 * Every outcome asks, and a cluster may have a hundred thousand Pods.
 */
export const fromOtherNode = memoized((question: WhyQuestion): CauseDraft | undefined => {
  const { packet } = question.result;
  const { node: own } = question.input.topology;
  if (packet.origin === 'local' || question.known.isInterfaceGiven || own === undefined) return undefined;
  const sender = senderOf(question);
  if (sender === undefined || sender.node.toLowerCase() === own.toLowerCase() || !isTranslatedAtSender(question))
    return undefined;
  const node = escapeText(sender.node);
  const address = `${isForClusterIp(question) ? 'the cluster IP ' : ''}${addressText(packet.destination)}`;
  return {
    code: 'routing',
    what: `${sender.where} ${node}, whose rules translate what it sends to ${address}: none of it comes to this node with that address, so this node's rules do not tell what becomes of it.`,
    evidence: [fact(`${addressText(packet.source)} is ${sender.is} ${node}`)],
    fix: `Ask node ${node}: \`k8snet why\` with its dump, or with node/${node} and --live.`,
    isUnknown: true,
  };
});

interface Sender {
  readonly node: string;
  /** Before the node's name: where the sender is, and what its address is. */
  readonly where: string;
  readonly is: string;
}

/** By its Pod; an address without one by the node that it is, or that its route leads to. Undefined: its node is unknown. */
function senderOf(question: WhyQuestion): Sender | undefined {
  const { packet } = question.result;
  const { topology } = question.input;
  const address = addressText(packet.source);
  // A Pod in the network of its node has the node's address.
  const senders = topology.pods.filter(({ addresses }) => addresses.includes(packet.source));
  const [sender] = senders;
  if (sender?.node !== undefined) {
    const name = escapeText(sender.name);
    if (senders.some(({ node }) => node !== sender.node)) return undefined;
    return { node: sender.node, where: `${name} runs on node`, is: `Pod ${name} on node` };
  }
  const itself = nodeAt(packet.source, topology);
  if (itself !== undefined) return { node: itself, where: `${address} is node`, is: 'the address of node' };
  const behind = nodeBehind(packet.source, question);
  if (behind === undefined) return undefined;
  return { node: behind, where: `${address} is a Pod of node`, is: 'in a range of Pods behind node' };
}
