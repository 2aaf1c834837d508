import type { Value } from '../common/ranges/valueRange.ts';
import { isMadeUp } from '../trace/known/nodeAddressPerFamily.ts';
import { showsOwnAddress } from '../trace/known/showsOwnAddress.ts';
import { isHostAddress } from '../walk/isHostAddress.ts';
import { isForClusterIp } from './clusterIps.ts';
import { isPrivate } from './isPrivate.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/**
 * Nothing shows the node's addresses, and the packet's destination may be one of them: a packet that the walk forwards
 * may be delivered. If objects or options name an address of the node, others are in its network.
 */
export function mayBeOwn(question: WhyQuestion): boolean {
  const { input, known, result } = question;
  const { destination } = result.packet;
  const { assumed, pods, hosts, interfaces } = input.topology;
  if (!assumed.has('interfaces') || isHostAddress(destination, input)) return false;
  if ([...pods, ...hosts].some(({ addresses }) => addresses.includes(destination))) return false;
  if (known.podRanges?.some(({ first, last }) => first <= destination && destination <= last)) return false;
  const own = [...interfaces.values()]
    .filter(showsOwnAddress)
    .flatMap(({ addresses }) => addresses.map(({ address }) => address))
    .filter((address) => typeof address === typeof destination && !isMadeUp(address));
  const isNear = own.length === 0 || own.some((address) => networkOf(address) === networkOf(destination));
  if (!isNear || (known.hasObjects && !isPrivate(destination) && own.length === 0)) return false;
  // Rules without any Service do not come from a node, or only from a part of one.
  return question.allEntrances.length > 0 && !isForClusterIp(question);
}

/** The usual network that nodes share: 256 addresses; in IPv6 2^64. */
function networkOf(address: Value): Value {
  return typeof address === 'bigint' ? address >> 64n : address >>> 8;
}
