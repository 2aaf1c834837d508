import type { RuleView } from '../../netfilter/iptables/ruleView.ts';
import type { SeenDetector } from './seenSettings.ts';

/** What a rule tells traffic of local Pods by, or with `isNegated` other traffic: `-s 10.244.0.0/16`, `! -i cbr0`, `-i veth+`. */
export function detectorOf(view: RuleView, isNegated: boolean): SeenDetector | undefined {
  const cidr = isNegated ? view.notSource : view.source;
  const name = isNegated ? view.notInInterface : view.inInterface;
  if (cidr !== undefined)
    return { kind: 'cidr', cidr: cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}` };
  if (name === undefined) return undefined;
  return name.endsWith('+') ? { kind: 'prefix', prefix: name.slice(0, -1) } : { kind: 'bridge', name };
}
