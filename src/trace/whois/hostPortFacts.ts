import type { HostPort } from '../../model/hostPortsOf.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import { isHostAddress } from '../../walk/isHostAddress.ts';
import { addressText } from '../../walk/values/text.ts';
import type { RuleCatalog } from '../known/ruleCatalog.ts';
import { protocolName } from '../question/protocolName.ts';
import type { End } from './readEnd.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/**
 * A port of the node, alone or with one of its addresses, that rules of the network plug-in or objects give to a Pod.
 */
export function hostPortFacts(
  { address, port }: Partial<End>,
  input: WalkInput,
  { hostPorts }: RuleCatalog,
  claims: readonly HostPort[],
): readonly WhoisFact[] {
  if (port === undefined || (address !== undefined && !isHostAddress(address, input))) return [];
  const byRules = hostPorts
    .filter((one) => one.port === port && (one.address ?? address) === address)
    .map(({ protocol, chain, rule, targets }): WhoisFact => {
      const name = protocol === undefined ? String(port) : `${port}/${protocolName(protocol)}`;
      return {
        kind: 'hostPort',
        sentence: `hostPort ${name}: ${chain} sends to ${targets.map((target) => ended(target, input)).join(', ')}`,
        ...placeOf(rule),
      };
    });
  const text = address === undefined ? undefined : addressText(address);
  const byObjects = claims
    .filter((one) => one.port === port && (one.ip === undefined || text === undefined || one.ip === text))
    .map(({ owner, isPod, isHostNetwork, protocol, containerPort, podIPs, ip }): WhoisFact => {
      const where = isPod ? '' : ', where one of its Pods runs on this node';
      const only = ip === undefined ? '' : ` on ${ip}`;
      const target = podIPs[0] === undefined ? `port ${containerPort} of the Pod` : `${podIPs[0]}:${containerPort}`;
      const sentence = isHostNetwork
        ? `${port}/${protocol} is a port of ${owner}, which shares the network of the node${where}`
        : `${port}/${protocol}${only} is the hostPort of ${owner}${where}: the network plug-in takes it to ${target}`;
      return { kind: 'hostPort', sentence };
    });
  return [...byRules, ...byObjects];
}

/** With the name of its Pod if known. */
function ended(target: string, { topology }: WalkInput): string {
  const pod = topology.pods.find(({ addresses, name }) =>
    name.includes('/') ? addresses.some((one) => isAt(target, addressText(one))) : false,
  );
  return pod === undefined ? target : `${target}, Pod ${pod.name}`;
}

function isAt(target: string, address: string): boolean {
  return target === address || target.startsWith(`${address}:`) || target.startsWith(`[${address}]:`);
}
