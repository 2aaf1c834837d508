import { parseCidr } from '../../common/addresses/cidr.ts';
import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { wholeRange } from '../../common/addresses/wholeRange.ts';
import { hidesZero } from '../../seen/ports/hidesZero.ts';
import { holdsNode } from '../../seen/ports/holdsNode.ts';
import type { ImportContext } from './importContext.ts';
import type { ServiceGroup } from './serviceGroup.ts';

/**
 * The source ranges of a Service's load balancer, of both families. kube-proxy itself adds the load balancer's addresses
 * where a range holds the node: these are left out again, if it is known that one does.
 */
export function sourceRanges({ seen, loadBalancerIPs }: ServiceGroup, { nodeIPs }: ImportContext): readonly string[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const sources = seen.find((port) => port.family === family && port.sources !== undefined)?.sources;
    if (sources === undefined) return [];
    const isOwn = (range: string) => loadBalancerIPs.includes(range);
    const others = sources.ranges.filter((range) => !isOwn(range));
    const ownPass = sources.own === 'perhaps' && holdsNode(others, nodeIPs[family], family);
    const everybody = wholeRange(family);
    const hidden = hidesZero(sources, nodeIPs[family], family) ? [everybody] : [];
    return [...(ownPass ? others : sources.ranges), ...hidden].map(withLength);
  });
}

function withLength(range: string): string {
  if (range.includes('/')) return parseCidr(range)?.text ?? range;
  return hostCidr(range);
}
