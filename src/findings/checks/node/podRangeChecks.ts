import { isWithin, parseCidr } from '../../../common/addresses/cidr.ts';
import type { ProxyConfig } from '../../../model/proxyConfig.ts';
import { podCIDRs } from '../../../resolve/podCIDRs.ts';
import type { Manifest } from '../../../validate/kinds/manifest.ts';
import type { NodeObject } from '../../../validate/kinds/manifests.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/** K8N402: clusterCIDR, by which Pods are recognized, does not cover the podCIDR of some Node. */
export function podRangeChecks(
  { detectLocal, clusterCIDRs }: Pick<ProxyConfig, 'detectLocal' | 'clusterCIDRs'>,
  nodes: readonly Manifest<NodeObject>[],
): readonly Finding[] {
  if (detectLocal.kind !== 'clusterCIDR') return [];
  return clusterCIDRs.flatMap((text) => {
    const cluster = parseCidr(text);
    if (cluster === undefined) return [];
    const outside = nodes.flatMap(({ value, origin }) => {
      return podCIDRs(value).flatMap((range) => {
        const own = parseCidr(range);
        const isInside = own?.family !== cluster.family || isWithin(own, cluster);
        return isInside ? [] : [{ range, name: value.metadata.name, origin }];
      });
    });
    const [first] = outside;
    if (first === undefined) return [];
    const more = outside.length > 1 ? ` and those of ${outside.length - 1} more` : '';
    const seen = `clusterCIDR ${cluster.text} leaves out ${first.range} of Node ${first.name}${more}`;
    return [makeFinding('K8N402', { what: seen, places: outside.slice(0, 3).map(({ origin }) => origin) })];
  });
}
