import type { IpvsAddress, IpvsFacts } from './ipvsFacts.ts';

/**
 * Where no sets tell: a virtual server is that of a node port if kube-ipvs0 has not its address, or, where that device is not
 * shown either, by the usual range of node ports.
 */
export function isAtNodePort({ bound }: IpvsFacts, { ip, port }: IpvsAddress): boolean {
  return bound === undefined ? port >= 30_000 && port < 32_768 : !bound.has(ip);
}
