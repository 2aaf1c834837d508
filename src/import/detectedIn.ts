import type { ProxyMode } from '../common/proxyMode.ts';
import { type Detection, detectVersions } from '../dialect/detectVersions.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import { dumpedModes } from './dumpedModes.ts';
import { dumpedRules } from './dumpedRules.ts';

/** Which versions of kube-proxy may have written what was dumped of a mode; undefined: the mode left nothing there. */
export function detectedIn(mode: ProxyMode, found: readonly ToolRules[]): Detection | undefined {
  // Versions of nftables mode are told by what they do not have, too.
  const isCut = (rules: ToolRules) => rules.kind === 'nftables' && [...rules.tables.values()].some(({ cut }) => cut);
  const dumped = dumpedRules(found.filter((rules) => !isCut(rules)));
  const isEmpty = dumped.iptables.length + dumped.ipsets.length + dumped.nft.length === 0;
  return isEmpty || !dumpedModes(dumped).includes(mode) ? undefined : detectVersions(mode, dumped);
}
