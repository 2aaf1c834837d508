import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { SpellingIn } from './dialect.ts';
import type { DialectTable } from './dialectTable.ts';
import { iptablesTable } from './iptables/iptablesTable.ts';
import { ipvsTable } from './ipvs/ipvsTable.ts';
import { nftablesTable } from './nftables/nftablesTable.ts';
import { userspaceTable } from './userspace/userspaceTable.ts';

const modeTables: { readonly [M in ProxyMode]: DialectTable<SpellingIn<M>> } = {
  iptables: iptablesTable,
  ipvs: ipvsTable,
  nftables: nftablesTable,
  userspace: userspaceTable,
};

/** The table of what a mode writes. */
export function modeTable<M extends ProxyMode>(mode: M): DialectTable<SpellingIn<M>> {
  return modeTables[mode];
}
