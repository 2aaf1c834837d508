import { parseCidr } from '../common/addresses/cidr.ts';
import type { NodeObject } from '../validate/kinds/manifests.ts';

/** The Pod ranges in a Node. */
export function podCIDRs(node: NodeObject | undefined): readonly string[] {
  const spec = node?.spec;
  const given = spec?.podCIDRs && spec.podCIDRs.length > 0 ? spec.podCIDRs : spec?.podCIDR ? [spec.podCIDR] : [];
  return given.filter((text) => parseCidr(text) !== undefined);
}
