import { isRising } from '../../common/isRising.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { ContestedEndpoints, Model } from '../../model/model.ts';
import { type SeenServices, seenPort } from '../../model/seenServices.ts';
import type { ServicePort } from '../../model/servicePort.ts';

/**
 * If EndpointSlices of a Service disagree about an address, the entry that the dump shows counts: kube-proxy goes
 * through the slices in random order, so chance decides (seen with 1.30 to 1.37) and no other entry can be expected.
 */
export function settledByDump(model: Model, seen: () => SeenServices): Model {
  const contested = new Map<string, ContestedEndpoints>();
  const servicePorts = model.servicePorts.map((port) => {
    const open = contestedIn(port.endpoints);
    if (open.size === 0) return port;
    const service = `${port.namespace}/${port.name}`;
    const shown = seen()
      .get(service)
      ?.endpoints.get(`${port.family} ${seenPort(port.protocol, port.portName)}`);
    if (shown === undefined) return port;
    const isUsed = (address: string) =>
      shown.some(({ ip, port: number, isInCluster }) => {
        const [entry] = open.get(address) ?? [];
        return isInCluster && entry?.ip === ip && entry.port === number;
      });
    const addresses = firstFew([...new Set([...open.values()].flatMap(([first]) => first?.ip ?? []))], 3);
    contested.set(service, { service, addresses, origin: port.origin });
    const chosen = new Map([...open].map(([address, entries]) => [address, entryAsUsed(entries, isUsed(address))]));
    return { ...port, endpoints: port.endpoints.filter((one) => (chosen.get(one.address) ?? one) === one) };
  });
  return contested.size === 0 ? model : { ...model, servicePorts, contested: [...contested.values()] };
}

const none: ReadonlyMap<string, readonly Endpoint[]> = new Map();

/** Entries with one address that differ in whether they get traffic, by address. */
function contestedIn(endpoints: ServicePort['endpoints']): ReadonlyMap<string, readonly Endpoint[]> {
  if (isRising(endpoints)) return none;
  const known = new Map<string, Endpoint>();
  const found = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const first = known.get(endpoint.address);
    if (first === undefined) known.set(endpoint.address, endpoint);
    else if (stateOf(first) !== stateOf(endpoint) || found.has(endpoint.address)) {
      const entries = found.get(endpoint.address) ?? [first];
      entries.push(endpoint);
      found.set(endpoint.address, entries);
    }
  }
  return found;
}

function stateOf({ isReady, isServing, isTerminating }: Endpoint): string {
  return `${isReady} ${isServing} ${isTerminating}`;
}

function entryAsUsed(entries: readonly Endpoint[], isUsed: boolean): Endpoint | undefined {
  const ready = entries.find(({ isReady }) => isReady);
  const serving = entries.find(({ isServing, isTerminating }) => isServing && isTerminating);
  const idle = entries.find(({ isReady, isServing }) => !isReady && !isServing);
  return isUsed ? (ready ?? serving) : (idle ?? entries.find(({ isReady }) => !isReady));
}
