import type { Statement } from './ast.ts';

/** The named sets and maps that a statement asks or fills. */
export function setsNamed(statement: Statement): readonly string[] {
  switch (statement.kind) {
    case 'match':
      return statement.right.kind === 'namedSet' ? [statement.right.name] : [];
    case 'setUpdate':
      return [statement.set];
    case 'assign':
      return statement.map?.kind === 'namedMap' ? [statement.map.name] : [];
    case 'vmap':
      return statement.map.kind === 'namedMap' ? [statement.map.name] : [];
    case 'nat':
      return statement.lookup?.map.kind === 'namedMap' ? [statement.lookup.map.name] : [];
    default:
      return [];
  }
}
