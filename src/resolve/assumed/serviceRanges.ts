import { parseCidr } from '../../common/addresses/cidr.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Manifests } from '../../validate/kinds/manifests.ts';
import type { TargetOptions } from '../targetOptions.ts';

/**
 * The given ranges of cluster IPs, each once and sorted: those of the options, otherwise of all ServiceCIDRs, including
 * those that are being deleted. Undefined: none were given.
 */
export function serviceRanges(
  { serviceCIDRs }: Pick<Manifests, 'serviceCIDRs'>,
  options: Pick<TargetOptions, 'serviceCIDRs'>,
): readonly string[] | undefined {
  const given = options.serviceCIDRs ?? serviceCIDRs.flatMap(({ value }) => value.spec?.cidrs ?? []);
  const ranges = given.map((text) => parseCidr(text)?.text).filter((text) => text !== undefined);
  return ranges.length === 0 ? undefined : [...new Set(ranges)].sort(compareBytes);
}
