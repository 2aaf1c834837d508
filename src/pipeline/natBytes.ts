import type { ByteChains } from '../node/chains/byteChains.ts';
import type { ToolRules } from '../node/nodeRules.ts';

/** The chains of Services that stand in bytes, where a dump of iptables was read so. */
export function natBytes(found: ToolRules | undefined): ByteChains | undefined {
  return found?.tables.get('nat')?.chains.bytes;
}
