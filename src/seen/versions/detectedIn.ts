import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { type Detection, detectVersions } from '../../dialect/detectVersions.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { modesShown } from '../modes/modesShown.ts';
import { dumpedRules } from './dumpedRules.ts';

/**
 * The versions of kube-proxy that may have written a dump in a mode; undefined: the dump has nothing of the mode, or nothing
 * that a version shows by.
 */
export function detectedIn(mode: ProxyMode, found: readonly ToolRules[]): Detection | undefined {
  const dumped = dumpedRules(found);
  const isEmpty = dumped.iptables.length + dumped.ipsets.length + dumped.nft.length === 0;
  if (isEmpty || !modesShown(found).modes.includes(mode)) return undefined;
  const detection = detectVersions(mode, dumped);
  const isPart = dumped.nft.some(({ cut }) => cut !== undefined);
  return isPart && detection.fingerprints.length === 0 ? undefined : detection;
}
