import { type IpvsFacts, ipvsAddressKey } from './ipvsFacts.ts';

/**
 * The addresses at which node ports answer: those at which every node port has a virtual server; if there are none,
 * those at which any has. If no virtual servers were given, the set of SCTP node ports may name them. `given`: the node
 * ports (`tcp 30080`) if the dump has no sets.
 */
export function answeringAddresses(facts: IpvsFacts, given: readonly string[] = []): readonly string[] {
  if (!facts.hasServers) return [...new Set(facts.members('nodePortSCTPHash').map(({ ip }) => ip))];
  const wanted = new Set<string>(facts.hasSets ? [] : given.map((nodePort) => nodePort.toUpperCase()));
  for (const [protocol, set] of nodePortSets)
    for (const { port } of facts.members(set)) wanted.add(`${protocol} ${port}`);
  const others = new Set(
    (['clusterIP', 'externalIP', 'externalIPLocal', 'loadBalancer'] as const).flatMap((set) =>
      facts.members(set).map(ipvsAddressKey),
    ),
  );
  const found = new Map<string, number>();
  for (const { address } of facts.servers) {
    if (!wanted.has(`${address.protocol} ${address.port}`) || others.has(ipvsAddressKey(address))) continue;
    found.set(address.ip, (found.get(address.ip) ?? 0) + 1);
  }
  const every = [...found].filter(([, count]) => count === wanted.size).map(([ip]) => ip);
  return every.length > 0 ? every : [...found.keys()];
}

/** Sets of all node ports, by protocol: of SCTP, versions have one or the other. */
export const nodePortSets = [
  ['TCP', 'nodePortTCP'],
  ['UDP', 'nodePortUDP'],
  ['SCTP', 'nodePortSCTPHash'],
  ['SCTP', 'nodePortSCTP'],
] as const;
