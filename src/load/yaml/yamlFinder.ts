import type { Node, Pair, Scalar, YAMLMap } from 'yaml';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Finder, FoundSpan } from '../json/jsonFinder.ts';
import { parseYaml } from './parseYaml.ts';
import { resolvePlain } from './resolvePlain.ts';
import type { YamlPackage } from './yamlPackage.ts';
import { type YamlPart, yamlParts } from './yamlParts.ts';

/** Finds places in YAML: parses the documents that are asked for, each once, and of a long List only its items. */
export function yamlFinder(yaml: YamlPackage, text: string): Finder {
  const parts = yamlParts(text);
  const parsed = new Map<string, Parsed>();
  const open = (document: number, path: JsonPath): Opened => {
    const part = parts(document, path);
    let tree = parsed.get(part.name);
    if (tree === undefined) {
      const source = part.source();
      const contents = parseYaml(yaml, source, { start: 0, end: source.length }).contents;
      tree = { yaml, contents, anchors: anchorsOf(yaml, contents), children: new Map() };
      parsed.set(part.name, tree);
    }
    return { tree, part };
  };
  return {
    find: (document, path, part) => {
      const { tree, part: of } = open(document, path);
      const span = spanOf(tree, walk(tree, of.path), part);
      return { start: of.place(span.start), ...(span.end === undefined ? {} : { end: of.place(span.end) }) };
    },
    textAt: (document, path) => {
      const { tree, part } = open(document, path);
      const { value, isWhole } = walk(tree, part.path);
      return isWhole && yaml.isScalar(value) && value.value !== '' ? String(value.value) : undefined;
    },
  };
}

interface Opened {
  readonly tree: Parsed;
  readonly part: YamlPart;
}

interface Parsed {
  readonly yaml: YamlPackage;
  readonly contents: Node | null;
  readonly anchors: ReadonlyMap<string, readonly Node[]>;
  /** The pairs of the mappings that were looked into, by key; the last of equal keys. */
  readonly children: Map<YAMLMap, ReadonlyMap<string, Child>>;
}

interface Walked {
  readonly value: Node | null;
  readonly key?: Node | null;
  readonly isWhole: boolean;
}

function walk(tree: Parsed, path: JsonPath): Walked {
  let value = tree.contents;
  let key: Node | null | undefined;
  for (const step of path) {
    const child = childOf(tree, target(tree, value), step);
    if (child === undefined) return { value, ...(key === undefined ? {} : { key }), isWhole: false };
    value = child.value;
    key = child.key;
  }
  return { value, ...(key === undefined ? {} : { key }), isWhole: true };
}

interface Child {
  readonly value: Node | null;
  readonly key?: Node | null;
}

function childOf(tree: Parsed, parent: Node | null, step: string | number, depth = 0): Child | undefined {
  const { yaml } = tree;
  if (yaml.isSeq(parent)) {
    const item = typeof step === 'number' ? (parent.items[step] as Node | undefined) : undefined;
    return item === undefined ? undefined : { value: item };
  }
  if (!yaml.isMap(parent)) return undefined;
  const children = childrenOf(tree, parent as YAMLMap);
  const own = children.get(String(step));
  if (own !== undefined) return own;
  const merge = children.get('<<');
  if (merge === undefined || depth > mostMerges) return undefined;
  const source = target(tree, merge.value);
  for (const one of yaml.isSeq(source) ? (source.items as Node[]) : [source]) {
    const merged = childOf(tree, target(tree, one), step, depth + 1);
    if (merged !== undefined) return merged;
  }
  return undefined;
}

function childrenOf(tree: Parsed, map: YAMLMap): ReadonlyMap<string, Child> {
  let children = tree.children.get(map);
  if (children === undefined) {
    const pairs = map.items as Pair<Node, Node | null>[];
    children = new Map(
      pairs.flatMap((pair) => {
        const key = keyOf(tree, pair.key);
        return key === undefined ? [] : [[key, pair] as const];
      }),
    );
    tree.children.set(map, children);
  }
  return children;
}

/** Merges of merges that are followed. */
const mostMerges = 8;

function keyOf(tree: Parsed, key: Node | null): string | undefined {
  const node = target(tree, key);
  if (!tree.yaml.isScalar(node)) return undefined;
  const text = String((node as Scalar).value ?? '');
  return node.type === 'PLAIN' && node.tag === undefined ? String(resolvePlain(text)) : text;
}

/** What an alias stands for: the last anchor of its name before it. */
function target(tree: Parsed, node: Node | null): Node | null {
  if (!tree.yaml.isAlias(node)) return node;
  const before = node.range?.[0] ?? 0;
  const anchored = tree.anchors.get(node.source);
  return anchored?.findLast((candidate) => (candidate.range?.[0] ?? 0) < before) ?? null;
}

function anchorsOf(yaml: YamlPackage, contents: Node | null): ReadonlyMap<string, readonly Node[]> {
  const anchors = new Map<string, Node[]>();
  if (contents === null) return anchors;
  yaml.visit(contents, {
    Node: (_, node) => {
      const { anchor } = node as Scalar;
      if (anchor === undefined) return;
      const known = anchors.get(anchor);
      if (known === undefined) anchors.set(anchor, [node as Node]);
      else known.push(node as Node);
    },
  });
  return anchors;
}

function spanOf({ yaml }: Parsed, { value, key, isWhole }: Walked, part: 'key' | 'value'): FoundSpan {
  const keyRange = key?.range;
  const valueRange = value?.range;
  // A value that is not written (`spec:`) has no place of its own.
  const isEmpty = valueRange === null || valueRange === undefined || (yaml.isScalar(value) && isUnwritten(valueRange));
  if (keyRange && (isEmpty || (part === 'key' && isWhole))) return { start: keyRange[0], end: keyRange[1] };
  if (!valueRange) return { start: 0 };
  return yaml.isCollection(value) ? { start: valueRange[0] } : { start: valueRange[0], end: valueRange[1] };
}

function isUnwritten(range: readonly [number, number, number]): boolean {
  return range[0] === range[1];
}
