import type { NftElement, Statement, Verdict } from './ast.ts';

/** The chains that a statement leads to, by itself or by what it looks up in a map of its own. */
export function chainsNamed(statement: Statement): readonly string[] {
  if (statement.kind === 'verdict') return chainOf(statement.verdict);
  if (statement.kind === 'vmap' && statement.map.kind === 'anonymousMap')
    return statement.map.elements.flatMap(chainOfElement);
  return [];
}

/** The chain that an element leads to. */
export function chainOfElement({ verdict }: NftElement): readonly string[] {
  return chainOf(verdict);
}

function chainOf(verdict: Verdict | undefined): readonly string[] {
  return verdict !== undefined && 'chain' in verdict ? [verdict.chain] : [];
}
