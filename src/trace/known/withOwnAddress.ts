import { hostCidr } from '../../common/addresses/hostCidr.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';
import { showsOwnAddress } from './showsOwnAddress.ts';
import type { TraceObjects } from './traceObjects.ts';
import { unknownNetwork } from './unknownNetwork.ts';

/** The facts about a node, with these addresses on its outgoing interface; undefined: some of its own are known. */
export function withOwnAddress(
  shown: NetworkFacts,
  objects: TraceObjects | undefined,
  own: readonly string[],
  because = 'as nothing shows them',
): TraceObjects | undefined {
  const { network = unknownNetwork, services = [], assumed = [] } = objects ?? {};
  const isKnown = [...shown.interfaces, ...network.interfaces].some(
    (one) => showsOwnAddress(one) && one.addresses.length > 0,
  );
  if (isKnown || !network.interfaces.some(({ name }) => name === 'eth0')) return undefined;
  const addresses = own.map((ip) => ({ cidr: hostCidr(ip) }));
  const interfaces = network.interfaces.map((one) => (one.name === 'eth0' ? { ...one, addresses } : one));
  const said = `interfaces: lo, and eth0 with ${own.join(' and ')}, ${because}`;
  return {
    ...objects,
    services,
    network: { ...network, interfaces },
    assumed: new Map([...assumed, ['interfaces', said]]),
  };
}
