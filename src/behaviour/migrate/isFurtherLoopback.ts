import type { Value } from '../../common/ranges/valueRange.ts';
import { isLoopback } from '../../walk/ways.ts';

/** All of 127.0.0.0/8 belongs to the node: 127.0.0.1 represents it. */
export function isFurtherLoopback(address: Value): boolean {
  return isLoopback(address) && address !== 0x7f000001 && address !== 1n;
}
