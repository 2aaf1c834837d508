import type { Statement } from '../../netfilter/nft/ast.ts';
import type { LocalDetector } from '../../plan/plan.ts';
import { matches, type ProxyTable } from './table.ts';

/** Matches traffic of local Pods (`==`) or other traffic (`!=`); empty if it cannot be recognized. */
export function localMatch(
  table: ProxyTable,
  detector: LocalDetector | undefined,
  operator: '==' | '!=',
): readonly Statement[] {
  const interfaceKey = { kind: 'meta', key: table.dialect.interfaceMatch } as const;
  switch (detector?.kind) {
    case undefined:
      return [];
    case 'cidr':
      return [matches(table.source, detector.cidr, operator)];
    case 'bridge':
      return [matches(interfaceKey, detector.name, operator)];
    case 'prefix':
      return [matches(interfaceKey, `${detector.prefix}*`, operator)];
  }
}
