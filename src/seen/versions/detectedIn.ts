import type { ProxyMode } from '../../common/proxyMode.ts';
import { type Detection, detectVersions } from '../../dialect/detectVersions.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { modesShown } from '../modes/modesShown.ts';
import { dumpedRules } from './dumpedRules.ts';

/** Which versions of kube-proxy may have written what was dumped of a mode; undefined: the mode left nothing there. */
export function detectedIn(mode: ProxyMode, found: readonly ToolRules[]): Detection | undefined {
  // Versions of nftables mode are told by what they do not have, too.
  const isCut = (rules: ToolRules) => rules.kind === 'nftables' && [...rules.tables.values()].some(({ cut }) => cut);
  const whole = found.filter((rules) => !isCut(rules));
  const dumped = dumpedRules(whole);
  const isEmpty = dumped.iptables.length + dumped.ipsets.length + dumped.nft.length === 0;
  return isEmpty || !modesShown(whole).modes.includes(mode) ? undefined : detectVersions(mode, dumped);
}
