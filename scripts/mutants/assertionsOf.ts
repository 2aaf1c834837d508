import { type Node, parseSync } from 'oxc-parser';
import { eachNode } from './eachNode.ts';
import type { Mutant } from './mutant.ts';

/** The statements of a test file that assert something: nothing of them changes, they tell that they ran. */
export function assertionsOf(file: string, text: string): readonly Mutant[] {
  const found: Mutant[] = [];
  eachNode(parseSync(file, text).program, (node) => {
    if (node.type !== 'ExpressionStatement' || !isAssertion(node.expression)) return;
    const { start, end } = node;
    const before = (asked: string) => `{${asked};`;
    const insertions = [{ start, end, before, after: () => '}' }];
    const line = text.slice(0, start).split('\n').length;
    found.push({ kind: 'assertion', file, line, within: text.slice(start, end).split('\n')[0] ?? '', insertions });
  });
  return found;
}

function isAssertion(expression: Node): boolean {
  if (expression.type === 'AwaitExpression') return isAssertion(expression.argument);
  if (expression.type !== 'CallExpression') return false;
  const { callee } = expression;
  const called = callee.type === 'MemberExpression' ? callee.object : callee;
  return called.type === 'Identifier' && /^assert/.test(called.name);
}
