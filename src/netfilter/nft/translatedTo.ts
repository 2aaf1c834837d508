import type { Statement } from './ast.ts';

/** Where a statement translates destinations to, as it is written. */
export interface NftTarget {
  readonly address: string;
  /** Undefined: the port stays. */
  readonly port: string | undefined;
}

/** The targets of a DNAT: one, or those of a map in the rule, as kube-proxy balances since 1.36. */
export function translatedTo(statement: Statement): readonly NftTarget[] {
  if (statement.kind !== 'nat' || statement.action !== 'dnat') return [];
  const { address, port, lookup } = statement;
  if (address !== undefined) return [{ address, port }];
  const elements = lookup?.map.kind === 'anonymousMap' ? lookup.map.elements : [];
  return elements.flatMap(({ value: [ip, own] = [] }) =>
    ip === undefined ? [] : [{ address: ip, port: own ?? lookup?.port }],
  );
}
