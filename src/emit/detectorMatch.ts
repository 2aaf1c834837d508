import type { Word } from '../netfilter/iptables/ast.ts';
import type { LocalDetector } from '../plan/plan.ts';

/** Traffic of this node's Pods in iptables' words: `-s CIDR`, `-i IFACE`; negated: all other traffic. */
export function detectorMatch(detector: LocalDetector, negated: boolean): Word {
  const not = negated ? { negated } : {};
  switch (detector.kind) {
    case 'cidr':
      return { kind: 'source', ...not, address: detector.cidr };
    case 'bridge':
      return { kind: 'inInterface', ...not, name: detector.name };
    case 'prefix':
      return { kind: 'inInterface', ...not, name: `${detector.prefix}+` };
  }
}
