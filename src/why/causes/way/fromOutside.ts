import type { Value } from '../../../common/ranges/valueRange.ts';
import { addressText } from '../../../walk/values/text.ts';
import type { CauseDraft } from '../../cause.ts';
import { isForClusterIp } from '../../clusterIps.ts';
import { commonLength } from '../../commonLength.ts';
import { fact } from '../../evidence.ts';
import { isPrivate } from '../../isPrivate.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/** A client outside uses a cluster IP: these rules would serve it, but no network outside leads it to a node. */
export function fromOutside(question: WhyQuestion): CauseDraft | undefined {
  const { packet } = question.result;
  if (packet.origin === 'local' || question.known.isInterfaceGiven) return undefined;
  if (!isOutside(question) || !isForClusterIp(question)) return undefined;
  const address = addressText(packet.destination);
  return {
    code: 'routing',
    what: `${address} is a cluster IP: networks outside the cluster have no route for it, so the packet does not get to a node. If it did, these rules would serve it.`,
    evidence: [fact(`${addressText(packet.source)} is outside of the cluster`)],
    fix: 'From outside use a node port, the load balancer or an Ingress of the Service (`k8snet explain service` lists its ways in). Where the network plug-in announces cluster IPs to the network, name the interface that the packet comes by with --in.',
  };
}

/** It is neither a Pod, according to known Pods and their ranges, nor a node: it comes by the default interface. */
function isOutside({ result, input, known }: WhyQuestion): boolean {
  const { source, inInterface } = result.packet;
  const { pods, hosts, routes } = input.topology;
  if (!routes.some(({ length, device }) => length === 0 && device === inInterface)) return false;
  const inside = [...pods, ...hosts.filter(({ name }) => name !== 'outside' && name !== 'ext')];
  if (inside.some(({ addresses }) => addresses.includes(source))) return false;
  const ranges = known.podRanges ?? [];
  // Without a range nothing distinguishes a Pod on another node from an outside client, except addresses that no Pod
  // has.
  if (ranges.length === 0 && isPrivate(source)) return false;
  return !ranges.some(
    ({ first, last }) => (first <= source && source <= last) || (isPrivate(source) && isNear(source, first)),
  );
}

/** With detectLocalMode NodeCIDR the rules know the Pods of their node alone; those of others are in what its range was cut from. */
function isNear(address: Value, start: Value): boolean {
  return typeof address === 'bigint' ? commonLength(address, start, 128) >= 32 : commonLength(address, start, 32) >= 16;
}
