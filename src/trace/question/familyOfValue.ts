import type { Family } from '../../common/addresses/family.ts';
import type { Value } from '../../common/ranges/valueRange.ts';

export function familyOfValue(address: Value): Family {
  return typeof address === 'bigint' ? 'ipv6' : 'ipv4';
}
