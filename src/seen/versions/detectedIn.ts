import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { type Detection, detectVersions } from '../../dialect/detectVersions.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { modesShown } from '../modes/modesShown.ts';
import { dumpedRules } from './dumpedRules.ts';

/** The versions of kube-proxy that may have written a dump in a mode; undefined: the dump has nothing of the mode. */
export function detectedIn(mode: ProxyMode, found: readonly ToolRules[]): Detection | undefined {
  // Versions of nftables mode also differ in what they lack.
  const isCut = (rules: ToolRules) => rules.kind === 'nftables' && [...rules.tables.values()].some(({ cut }) => cut);
  const whole = found.filter((rules) => !isCut(rules));
  const dumped = dumpedRules(whole);
  const isEmpty = dumped.iptables.length + dumped.ipsets.length + dumped.nft.length === 0;
  return isEmpty || !modesShown(whole).modes.includes(mode) ? undefined : detectVersions(mode, dumped);
}
