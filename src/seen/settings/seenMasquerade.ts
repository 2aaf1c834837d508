import type { ToolRules } from '../../node/nodeRules.ts';
import { iptablesMasquerade } from './iptablesMasquerade.ts';
import { nftSettings } from './nftSettings.ts';
import type { SeenSettings } from './seenSettings.ts';

/** How the rules of one family for most Services recognize traffic of Pods, and whether they masquerade all traffic to cluster IPs. */
export function seenMasquerade(rules: ToolRules): Pick<SeenSettings, 'detector' | 'masqueradesAll'> {
  return rules.kind === 'nftables' ? nftSettings(rules) : iptablesMasquerade(rules);
}
