import type { Statement } from '../../netfilter/nft/ast.ts';
import type { LocalDetector } from '../../plan/plan.ts';
import { matches, type ProxyTable } from './table.ts';

/** Tells traffic of local pods (`==`) or other traffic (`!=`); nothing where it cannot be told. */
export function localMatch(
  table: ProxyTable,
  detector: LocalDetector | undefined,
  operator: '==' | '!=',
): readonly Statement[] {
  switch (detector?.kind) {
    case undefined:
      return [];
    case 'cidr':
      return [matches(table.source, detector.cidr, operator)];
    // Through 1.30 kube-proxy matches the interface's index: the bridge must exist when the rules are loaded, and a
    // prefix is refused by the kernel.
    case 'bridge':
      return [matches({ kind: 'meta', key: 'iif' }, detector.name, operator)];
    case 'prefix':
      return [matches({ kind: 'meta', key: 'iif' }, `${detector.prefix}*`, operator)];
  }
}
