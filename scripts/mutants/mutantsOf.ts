import { type Expression, type Function as FunctionNode, type Node, parseSync } from 'oxc-parser';
import { eachNode } from './eachNode.ts';
import type { Insertion, Mutant, MutantKind } from './mutant.ts';
import { nothingOf } from './nothingOf.ts';

type Arrow = Extract<Node, { type: 'ArrowFunctionExpression' }>;

/** Every mutant of one source, in the order of its lines. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const isExported = statement !== declaration;
    return namedFunctions(declaration).flatMap(([within, code]) =>
      mutantsIn(code, text, file, isExported ? 'nothing' : 'part').map(({ kind, at, insertions }): Mutant => {
        return { kind, file, line: lineAt(text, at), within, insertions };
      }),
    );
  });
}

/** The functions that a statement of the file declares, by name; `memoized((node) => …)` is one. */
function namedFunctions(declaration: Node | null): readonly (readonly [string, FunctionNode | Arrow])[] {
  if (declaration?.type === 'FunctionDeclaration' && declaration.body)
    return [[declaration.id?.name ?? '', declaration]];
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) => {
    const value = init?.type === 'CallExpression' ? init.arguments[0] : init;
    return id.type === 'Identifier' && value?.type === 'ArrowFunctionExpression' ? [[id.name, value] as const] : [];
  });
}

interface Found {
  readonly kind: MutantKind;
  readonly at: number;
  readonly insertions: readonly Insertion[];
}

function mutantsIn(code: FunctionNode | Arrow, text: string, file: string, kind: 'nothing' | 'part'): readonly Found[] {
  const found: Found[] = [];
  const nothing = nothingOf(code, text);
  if (nothing !== undefined && code.body !== null) found.push({ ...findsNothing(code.body, nothing), kind });
  const said: Found[] = [];
  walk(code, code, (node, owner) => {
    const one = unsaid(node, owner, text);
    if (one !== undefined) said.push(one);
    const test = conditionOf(node);
    if (test !== undefined) found.push(wrapped('negated', test, (asked) => `(${asked}) !== Boolean(`, ')'));
    if (isCallOf(node, 'makeFinding')) {
      found.push(wrapped('severity', node, (asked) => `k8snetOther(${asked}, 'severity', `, ')'));
      found.push(wrapped('service', node, (asked) => `k8snetOther(${asked}, 'service', `, ')'));
    }
  });
  const problems = file.startsWith('src/objects/') ? problemServices(code) : [];
  // All that a function says is one thing: it says nothing without it.
  return [...found, ...(said.length > 1 || nothing === undefined ? said : []), ...problems];
}

function findsNothing(body: Node, nothing: string): Found {
  if (body.type !== 'BlockStatement') return wrapped('nothing', body, (asked) => `(${asked}) ? ${nothing} : (`, ')');
  const start = body.start + 1;
  const insertion = {
    start,
    end: start,
    before: (asked: string) => `if (${asked}) return ${nothing};`,
    after: () => '',
  };
  return { kind: 'nothing', at: body.start, insertions: [insertion] };
}

/** A statement that says one thing, and says nothing when it is broken. */
function unsaid(node: Node, owner: FunctionNode | Arrow, text: string): Found | undefined {
  if (node.type === 'ExpressionStatement' && isSaying(node.expression)) {
    return wrapped('unsaid', node, (asked) => `{if (!(${asked})) {`, '}}');
  }
  if (node.type !== 'ReturnStatement' || node.argument === null || owner.generator) return undefined;
  const nothing = nothingOf(owner, text);
  if (nothing === undefined || nothing === '' || !isSomething(node.argument, nothing)) return undefined;
  return wrapped('unsaid', node.argument, (asked) => `(${asked}) ? ${nothing} : (`, ')');
}

const sayers: ReadonlySet<string> = new Set(['report', 'complain', 'hold', 'say', 'push', 'add']);

function isSaying(expression: Expression): boolean {
  if (expression.type === 'YieldExpression') return true;
  if (expression.type !== 'CallExpression') return false;
  const { callee } = expression;
  if (callee.type === 'Identifier') return sayers.has(callee.name);
  return (
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && sayers.has(callee.property.name)
  );
}

/** Booleans are left to their conditions. */
function isSomething(value: Expression, nothing: string): boolean {
  if (nothing === 'false') return false;
  if (value.type === 'Identifier') return value.name !== 'undefined';
  return value.type !== 'Literal' && !(value.type === 'ArrayExpression' && value.elements.length === 0);
}

function conditionOf(node: Node): Node | undefined {
  return node.type === 'IfStatement' || node.type === 'ConditionalExpression' ? node.test : undefined;
}

function isCallOf(node: Node, name: string): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name;
}

/** `service` of what objects say against each other. */
function problemServices(code: Node): readonly Found[] {
  const found: Found[] = [];
  eachNode(code, (node) => {
    if (node.type !== 'ObjectExpression') return;
    const named = (name: string) =>
      node.properties.find(
        (property) => property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name,
      );
    const service = named('service');
    if (service?.type !== 'Property' || named('code') === undefined) return;
    const { start, end } = service.value;
    const key = service.shorthand ? 'service: ' : '';
    const before = (asked: string) => `${key}(${asked}) ? 'wrong/name' : (`;
    found.push({ kind: 'service', at: start, insertions: [{ start, end, before, after: () => ')' }] });
  });
  return found;
}

function wrapped(kind: MutantKind, node: Node, before: (asked: string) => string, after: string): Found {
  const { start, end } = node;
  return { kind, at: start, insertions: [{ start, end, before, after: () => after }] };
}

/** Every node below a function, with the function that it is in. */
function walk(node: Node, owner: FunctionNode | Arrow, visit: (node: Node, owner: FunctionNode | Arrow) => void): void {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child !== 'object' || child === null || !('type' in child)) continue;
      visit(child, owner);
      const isFunction = child.type === 'ArrowFunctionExpression' || child.type === 'FunctionExpression';
      walk(child, isFunction ? child : owner, visit);
    }
  }
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
