import { memoized } from '../../common/memoized.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { podRangeIn } from './podRangeIn.ts';
import { seenMasquerade } from './seenMasquerade.ts';
import type { SeenDetector } from './seenSettings.ts';

/**
 * How the rules of one family recognize traffic of Pods: what most rules for Services say; in a cut dump, or one with
 * edited comments, any rule that marks traffic from elsewhere.
 */
const podDetector = memoized((rules: ToolRules): SeenDetector | undefined => {
  const { detector } = seenMasquerade(rules);
  if (detector !== undefined) return detector;
  const cidr = podRangeIn(rules);
  return cidr === undefined ? undefined : { kind: 'cidr', cidr };
});

/**
 * The range by which rules of one family recognize Pods: that of the cluster, or of the node. Undefined: none is
 * visible.
 */
export function podRangeOf(rules: ToolRules): string | undefined {
  const detector = podDetector(rules);
  return detector?.kind === 'cidr' ? detector.cidr : undefined;
}
