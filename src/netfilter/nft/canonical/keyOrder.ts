import type { NftKey } from '../ast.ts';
import { datatypeOf } from '../values/datatypes.ts';

/**
 * A word that sorts keys as nft 1.0.6 lists them (on little-endian hosts). A single value sorts as a number. A
 * concatenation is compared as the kernel holds it, but from its last byte to its first: nft reads the whole key as one
 * host-order number. Undefined where a part cannot be read: such sets keep the order they were filled in.
 */
export function keyOrder(types: readonly string[], key: NftKey): string | undefined {
  if (types.length !== key.length) {
    return undefined;
  }
  if (types.length === 1) {
    return datatypeOf(types[0] ?? '')?.interval(key[0] ?? '')?.first;
  }
  let bytes = '';
  for (const [index, name] of types.entries()) {
    const datatype = datatypeOf(name);
    const value = datatype?.interval(key[index] ?? '')?.first;
    if (datatype === undefined || value === undefined) {
      return undefined;
    }
    bytes = (datatype.isHostOrder ? value.padStart(datatype.width, '\0') : backwards(value)) + bytes;
  }
  return bytes;
}

function backwards(text: string): string {
  let result = '';
  for (let i = text.length - 1; i >= 0; i -= 1) {
    result += text.charAt(i);
  }
  return result;
}
