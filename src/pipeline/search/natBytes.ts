import type { ByteChains } from '../../node/chains/byteChains.ts';
import type { ToolRules } from '../../node/nodeRules.ts';

/** The chains of Services in bytes, if an iptables dump was read in that way. */
export function natBytes(found: ToolRules | undefined): ByteChains | undefined {
  return found?.tables.get('nat')?.chains.bytes;
}
