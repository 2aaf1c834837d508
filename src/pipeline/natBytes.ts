import { type ByteChains, byteChainsOf } from '../node/byteChains.ts';
import type { ToolRules } from '../node/nodeRules.ts';

/** The chains of Services that stand in bytes, where a dump of iptables was read so. */
export function natBytes(found: ToolRules | undefined): ByteChains | undefined {
  const nat = found?.tables.get('nat');
  return nat && byteChainsOf(nat);
}
