import type { Function as FunctionNode, Node } from 'oxc-parser';

/**
 * What a function returns when it finds nothing, as code; it follows from the type that it is declared to return. Undefined:
 * the type has no such value.
 */
export function nothingOf(code: FunctionNode | Arrow, text: string): string | undefined {
  if (code.generator) return '';
  const annotation = code.returnType?.typeAnnotation;
  if (!annotation) return undefined;
  const type = text.slice(annotation.start, annotation.end).replace(/^Promise<(.*)>$/s, '$1');
  return nothings.find(([pattern]) => pattern.test(type))?.[1];
}

type Arrow = Extract<Node, { type: 'ArrowFunctionExpression' }>;

const nothings: readonly (readonly [RegExp, string])[] = [
  [/\| undefined$/, 'undefined'],
  [/^void$/, ''],
  [/\[\]$|^Iterable</, '[]'],
  [/^boolean$|^\w+ is /, 'false'],
  [/^string$/, "''"],
  [/^number$/, '0'],
  [/^(?:Readonly)?Set</, 'new Set()'],
  [/^(?:Readonly)?Map</, 'new Map()'],
];
