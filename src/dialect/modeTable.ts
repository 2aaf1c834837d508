import type { ProxyMode } from '../common/proxyMode.ts';
import type { DialectTable } from './dialectTable.ts';
import { iptablesTable } from './iptables/iptablesTable.ts';
import { ipvsTable } from './ipvs/ipvsTable.ts';
import { nftablesTable } from './nftables/nftablesTable.ts';
import { userspaceTable } from './userspace/userspaceTable.ts';

/** The table of what a mode writes, for whoever looks at its versions and not at its values. */
export function modeTable(mode: ProxyMode): DialectTable<unknown> {
  return { iptables: iptablesTable, ipvs: ipvsTable, nftables: nftablesTable, userspace: userspaceTable }[mode];
}
