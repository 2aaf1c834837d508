import type { Value } from '../../common/ranges/valueRange.ts';
import { single } from '../../common/ranges/valueSet.ts';
import type { InterfaceName } from '../../netfilter/meaning.ts';
import type { WalkContext } from '../../walk/context.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import { podAt } from '../../walk/podAt.ts';
import { routeTo } from '../../walk/routing.ts';
import { isOfDummy } from './isOfDummy.ts';

/** How a network treats an address: two in one class take the same way. */
export function addressClass(address: Value, interfaces: readonly InterfaceName[], context: WalkContext): string {
  const isHere = isLocalAddress(address, context);
  const pod = podAt(address, context);
  const route = isHere
    ? undefined
    : routeTo({ destinations: single(address), source: single(address), mark: 0 }, context);
  // A route to one Pod's interface is like that to another's.
  const isOwnRoute = route !== undefined && route.destination.first === route.destination.last && pod !== undefined;
  const way = isOwnRoute ? 'pod' : `${route?.destination.first ?? ''} ${route?.length ?? ''} ${route?.table ?? ''}`;
  // IPv4: addresses that IPVS mode keeps for Services are equal. Over IPv6 the kernel chooses sources by the address.
  const isAlike = isHere && typeof address === 'number' && isOfDummy(address, context);
  return `${isAlike ? 'of a Service' : isHere ? address : ''} ${way} ${pod?.interface === undefined ? '' : `wired ${namesOf(pod.interface, interfaces)}`} ${pod?.node ?? ''}`;
}

/** The names that rules match and that this interface has. */
function namesOf(device: string, interfaces: readonly InterfaceName[]): string {
  return interfaces
    .filter(({ text, isPrefix }) => (isPrefix ? device.startsWith(text) : device === text))
    .map(({ text }) => text)
    .join(',');
}
