import { type Cidr, cidrContains } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { familyOf } from '../../common/addresses/ip.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { RouteNode } from './routeNode.ts';

/** Which nodes reach each other without a router. */
export interface Links {
  /** Both addresses are on one known link. */
  readonly share: (a: string | undefined, b: string) => boolean;
  /** The gateway is known to be on no link of the node, so the kernel refuses a route through it. */
  readonly isOffLink: (node: RouteNode, gateway: string) => boolean;
}

/** The links that `--node-subnet` gives. Of a family without any, nothing is known. */
export function linksOf(subnets: readonly Cidr[]): Links {
  const known = new Map<string, readonly Cidr[]>();
  const linksWith = (address: string) => {
    let found = known.get(address);
    if (found === undefined) {
      found = subnets.filter((subnet) => cidrContains(subnet, address));
      known.set(address, found);
    }
    return found;
  };
  const isKnown = (family: Family) => subnets.some((subnet) => subnet.family === family);
  const share = (a: string | undefined, b: string) =>
    a !== undefined && linksWith(a).some((subnet) => linksWith(b).includes(subnet));
  return {
    share,
    isOffLink: (node, gateway) => {
      const family = familyOf(gateway) ?? 'ipv4';
      return isKnown(family) && !share(node.ips[family], gateway);
    },
  };
}

/** One warning a node, however many gateways it cannot reach. */
export function reportOffLink(node: RouteNode, gateways: readonly string[], report: Report): void {
  if (gateways.length === 0) return;
  const shown = firstFew(gateways, 3);
  report({
    code: 'gateway-not-on-link',
    severity: 'warning',
    message: `Node ${node.name} cannot reach ${shown} without a router: the kernel refuses such routes ("Nexthop has invalid gateway")`,
    at: [node.origin],
    hint: 'nodes that are not on one link need a tunnel, or a router that knows the Pod ranges',
  });
}
