import { memoized } from '../../common/memoized.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { iptablesMasquerade } from './iptablesMasquerade.ts';
import { nftSettings } from './nftSettings.ts';
import { podRangeIn } from './podRangeIn.ts';
import type { SeenDetector } from './seenSettings.ts';

/**
 * What the rules of one family tell traffic of Pods by: what most rules for Services say; of a dump that was cut, or whose
 * comments were edited, what any rule says that marks what comes from elsewhere.
 */
const podDetector = memoized((rules: ToolRules): SeenDetector | undefined => {
  const { detector } = rules.kind === 'nftables' ? nftSettings(rules) : iptablesMasquerade(rules);
  if (detector !== undefined) return detector;
  const cidr = podRangeIn(rules);
  return cidr === undefined ? undefined : { kind: 'cidr', cidr };
});

/** The range by which rules of one family tell Pods: that of the cluster, or of the node. Undefined: none shows. */
export function podRangeOf(rules: ToolRules): string | undefined {
  const detector = podDetector(rules);
  return detector?.kind === 'cidr' ? detector.cidr : undefined;
}
