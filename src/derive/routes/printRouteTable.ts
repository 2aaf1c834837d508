import type { Cidr } from '../../common/addresses/cidr.ts';
import { formatIp } from '../../common/addresses/ip.ts';
import { firstAddress } from './nodeEntries.ts';
import type { PlannedRoute, RoutesPlan } from './routesPlan.ts';

/** IPv4 routes as `route -n` of net-tools shows them. */
export function* printRouteTable(plan: RoutesPlan, isHeaded: boolean): Iterable<string> {
  for (const node of plan.nodes) {
    if (isHeaded) yield `# node ${node.name}`;
    yield 'Kernel IP routing table';
    yield 'Destination     Gateway         Genmask         Flags Metric Ref    Use Iface';
    for (const route of node.entries().routes) if (route.dst.family === 'ipv4') yield row(route);
  }
}

function row({ dst, isBlackhole, via, dev }: PlannedRoute): string {
  const columns = [firstAddress(dst), isBlackhole ? '-' : (via ?? '0.0.0.0'), mask(dst)];
  const addresses = columns.map((text) => text.padEnd(15)).join(' ');
  if (isBlackhole) return `${addresses} !     0      -        0 -`;
  const flags = `U${via === undefined ? '' : 'G'}${dst.length === 32 ? 'H' : ''}`;
  return `${addresses} ${flags.padEnd(5)} 0      0        0 ${dev ?? ''}`;
}

function mask({ length }: Cidr): string {
  return formatIp({ family: 'ipv4', value: 2 ** 32 - 2 ** (32 - length) });
}
