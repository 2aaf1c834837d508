import { familyOf } from '../../common/addresses/ip.ts';
import { isTranslated } from '../../walk/ask/isTranslated.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import { addressText } from '../../walk/values/text.ts';
import { trailItems } from '../../walk/values/trail.ts';
import type { TraceResult } from '../traceResult.ts';
import { ruleEntrances } from './ruleEntrances.ts';
import { showsOwnAddress } from './showsOwnAddress.ts';

/**
 * The address of a packet to a node port that no rule took because nothing shows the node's addresses: it counts as one
 * of them. Undefined: the packet went another way, or the address is known to belong elsewhere, or is not one that the
 * rules show.
 */
export function nodePortAddress(
  { packet, outcomes }: TraceResult,
  input: WalkInput,
  shown: readonly string[],
): string | undefined {
  const { destination, destinationPort, protocol, family } = packet;
  const { interfaces, pods, hosts, assumed } = input.topology;
  if (destinationPort === undefined || !assumed.has('interfaces')) return undefined;
  const passes = outcomes.every(({ first: { flow, end } }) => {
    const isThrough = end.kind === 'leaves' || trailItems(flow.path).at(-1)?.hook === 'forward';
    return isThrough && flow.isOfIpvs !== true && !isTranslated(flow.connection, 'destination');
  });
  const isAddressed = [...interfaces.values()].some((one) => showsOwnAddress(one) && one.addresses.length > 0);
  if (!passes || isAddressed || [...pods, ...hosts].some(({ addresses }) => addresses.includes(destination))) {
    return undefined;
  }
  const entrances = ruleEntrances(input);
  const isNodePort = entrances.some(
    ({ address, port, protocol: own }) =>
      address === undefined && port === destinationPort && (own === undefined || own === protocol),
  );
  if (!isNodePort || entrances.some(({ address }) => address === destination)) return undefined;
  const text = addressText(destination);
  const others = shown.filter((ip) => familyOf(ip) === family);
  return others.length === 0 || others.includes(text) ? text : undefined;
}
