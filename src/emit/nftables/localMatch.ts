import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { Statement } from '../../netfilter/nft/ast.ts';
import type { LocalDetector } from '../../plan/plan.ts';
import { matches, type ProxyTable } from './table.ts';

/** Tells traffic of local pods (`==`) or other traffic (`!=`); nothing where it cannot be told. */
export function localMatch(
  table: ProxyTable,
  dialect: NftablesDialect,
  detector: LocalDetector | undefined,
  operator: '==' | '!=',
): readonly Statement[] {
  switch (detector?.kind) {
    case undefined:
      return [];
    case 'cidr':
      return [matches(table.source, detector.cidr, operator)];
    // An index (`iif`) must exist when the rules are loaded, and nft refuses a prefix of it.
    case 'bridge':
      return [matches({ kind: 'meta', key: dialect.interfaceMatch }, detector.name, operator)];
    case 'prefix':
      return [matches({ kind: 'meta', key: dialect.interfaceMatch }, `${detector.prefix}*`, operator)];
  }
}
