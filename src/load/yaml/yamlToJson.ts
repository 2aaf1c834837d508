import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../problems/problemCode.ts';
import { deepestNesting, tooDeep } from './parseYaml.ts';
import { resolvePlain } from './resolvePlain.ts';
import type { YamlPackage } from './yamlPackage.ts';

/** Something in a document that Kubernetes' reader refuses, or that JSON cannot say. Offsets as in the syntax tree. */
export interface ValueProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly offset: number;
  readonly path: JsonPath;
  /** A second place: where a duplicate key stood first. */
  readonly also?: number;
  readonly hint?: string;
}

/** Nodes that aliases may copy in one document: plenty for shared labels, far from what an alias bomb needs. */
const mostAliased = 100_000;

/**
 * The tree of a document as plain JSON values, as sigs.k8s.io/yaml makes them: keys are text, `<<` merges, aliases are
 * copied. Own properties only, whatever their name. Problems are collected; the value then holds what was readable.
 */
export function yamlToJson(
  yaml: YamlPackage,
  contents: Node,
  source: string,
  keepsShortWords = false,
): { value: unknown; problems: ValueProblem[] } {
  const state: State = {
    yaml,
    source,
    keepsShortWords,
    problems: [],
    path: [],
    anchors: new Map(),
    targets: new Map(),
    open: new Set(),
    copying: 0,
    copied: 0,
    exhausted: undefined,
  };
  const value = convert(state, contents);
  return { value, problems: state.problems };
}

interface State {
  readonly yaml: YamlPackage;
  readonly source: string;
  /** Plain `y` and `n` are text. */
  readonly keepsShortWords: boolean;
  readonly problems: ValueProblem[];
  readonly path: (string | number)[];
  /** The last node of each anchor's name so far. */
  readonly anchors: Map<string, Node>;
  /** What an alias stands for, settled when it is first met: its name may be given again later. */
  readonly targets: Map<Alias, Node>;
  /** Nodes that are being converted: an alias of one of them would never end. */
  readonly open: Set<Node>;
  /** Aliases that are being followed; their problems were reported where the anchor stands. */
  copying: number;
  copied: number;
  /** Why copying was given up. */
  exhausted: string | undefined;
}

function convert(state: State, node: Node | null | undefined): unknown {
  if (node === null || node === undefined) return null;
  const { yaml } = state;
  if (yaml.isAlias(node)) return follow(state, node, () => null, convert);
  if (state.exhausted !== undefined) return null;
  if (state.copying > 0) {
    state.copied += 1;
    if (state.copied > mostAliased) {
      state.exhausted = `aliases copy more than ${mostAliased} values: refused, as Kubernetes does`;
      return null;
    }
  }
  const anchor = (node as Scalar | YAMLMap | YAMLSeq).anchor;
  if (anchor !== undefined && state.copying === 0) state.anchors.set(anchor, node);
  if (yaml.isScalar(node)) return scalarValue(state, node);
  if (state.path.length > deepestNesting) {
    if (state.copying > 0) state.exhausted = `aliases make this ${tooDeep}`;
    refuse(state, 'nested-too-deeply', tooDeep, node);
    return null;
  }
  state.open.add(node);
  const value = yaml.isMap(node) ? mapValue(state, node) : seqValue(state, node as YAMLSeq);
  state.open.delete(node);
  return value;
}

function mapValue(state: State, map: YAMLMap): Record<string, unknown> {
  checkCollectionTag(state, map);
  const value: Record<string, unknown> = {};
  const written = new Map<string, Node>();
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    if (state.exhausted !== undefined) break;
    if (isMerge(state, pair.key)) {
      merge(state, pair.value ?? pair.key, value);
      continue;
    }
    const key = keyText(state, pair.key);
    if (key === undefined) continue;
    state.path.push(key);
    const first = written.get(key);
    if (first === undefined) written.set(key, pair.key);
    else duplicate(state, key, first, pair.key);
    setOwn(value, key, convert(state, pair.value));
    state.path.pop();
  }
  return value;
}

function seqValue(state: State, seq: YAMLSeq): unknown[] {
  checkCollectionTag(state, seq);
  const value: unknown[] = [];
  for (const item of seq.items as Node[]) {
    if (state.exhausted !== undefined) break;
    state.path.push(value.length);
    value.push(convert(state, item));
    state.path.pop();
  }
  return value;
}

/** Calls `use` with what an alias stands for, if it may be followed. */
function follow<T>(state: State, alias: Alias, otherwise: () => T, use: (state: State, node: Node) => T): T {
  const target = state.copying > 0 ? state.targets.get(alias) : state.anchors.get(alias.source);
  if (target === undefined) {
    refuse(state, 'yaml-alias', `undefined alias: no anchor &${alias.source} stands before it`, alias);
    return otherwise();
  }
  if (state.open.has(target)) {
    refuse(state, 'yaml-alias', `anchor &${alias.source} contains itself`, alias);
    return otherwise();
  }
  state.targets.set(alias, target);
  const wasWithin = state.exhausted === undefined;
  state.copying += 1;
  const value = use(state, target);
  state.copying -= 1;
  if (wasWithin && state.exhausted !== undefined) refuse(state, 'yaml-alias', state.exhausted, alias);
  return value;
}

/** Kubernetes' reader sets merged keys in the order of the lines: a later `<<` wins over an earlier key. */
function merge(state: State, source: Node, into: Record<string, unknown>): void {
  const { yaml } = state;
  if (yaml.isAlias(source)) {
    follow(
      state,
      source,
      () => undefined,
      (_, target) => merge(state, target, into),
    );
    return;
  }
  if (yaml.isSeq(source)) {
    // Of a sequence the first wins.
    for (const item of [...(source.items as Node[])].reverse()) {
      if (yaml.isSeq(item)) refuseMerge(state, item);
      else merge(state, item, into);
    }
    return;
  }
  if (!yaml.isMap(source)) {
    refuseMerge(state, source);
    return;
  }
  const value = convert(state, source) as Record<string, unknown> | null;
  for (const [key, one] of Object.entries(value ?? {})) setOwn(into, key, one);
}

function refuseMerge(state: State, node: Node): void {
  refuse(state, 'yaml-merge', 'a merge (<<) takes a mapping or a sequence of mappings', node);
}

function isMerge(state: State, key: Node | null): key is Scalar {
  return state.yaml.isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && key.tag === undefined;
}

function keyText(state: State, key: Node | null): string | undefined {
  const { yaml } = state;
  if (yaml.isAlias(key)) return follow(state, key, () => undefined, keyText);
  if (yaml.isScalar(key)) {
    if (key.anchor !== undefined && state.copying === 0) state.anchors.set(key.anchor, key);
    const value = scalarValue(state, key);
    if (value !== null) return String(value);
  }
  const what = yaml.isScalar(key) ? 'null' : yaml.isMap(key) ? 'a mapping' : 'a sequence';
  if (key !== null) refuse(state, 'yaml-not-json', `a key must be text, not ${what}`, key);
  return undefined;
}

function scalarValue(state: State, node: Scalar): string | number | boolean | null {
  const text = String(node.value ?? '');
  const tag = node.tag;
  if (tag === undefined && (node.type !== 'PLAIN' || (state.keepsShortWords && /^[yn]$/i.test(text)))) return text;
  const value = tag === undefined ? resolvePlain(text) : taggedValue(tag, text);
  if (value === undefined) {
    const name = (tag as string).replace('tag:yaml.org,2002:', '!!');
    const message = knownTags.has(tag as string) ? `this is no ${name}: ${text}` : `unknown tag ${name}`;
    refuse(state, 'yaml-tag', message, node, { offset: tagOffset(state, node), hint: 'leave the tag out' });
    return text;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    refuse(state, 'yaml-not-json', `${text} is not a number that Kubernetes takes: JSON has none of the kind`, node);
    return 0;
  }
  return value;
}

const knownTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'binary', 'timestamp'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** What a scalar under a tag says; undefined where it is not what the tag claims, or the tag is foreign. */
function taggedValue(tag: string, text: string): string | number | boolean | null | undefined {
  const plain = resolvePlain(text);
  switch (tag) {
    case '!':
    case 'tag:yaml.org,2002:str':
    case 'tag:yaml.org,2002:timestamp':
      return text;
    case 'tag:yaml.org,2002:int':
      return typeof plain === 'number' && Number.isInteger(plain) ? plain : undefined;
    case 'tag:yaml.org,2002:float':
      return typeof plain === 'number' ? plain : undefined;
    case 'tag:yaml.org,2002:bool':
      return typeof plain === 'boolean' ? plain : undefined;
    case 'tag:yaml.org,2002:null':
      return plain === null ? null : undefined;
    case 'tag:yaml.org,2002:binary': {
      const base64 = text.replace(/[\r\n]/g, '');
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
      return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    }
    default:
      return undefined;
  }
}

function checkCollectionTag(state: State, node: YAMLMap | YAMLSeq): void {
  if (node.tag === undefined || collectionTags.test(node.tag)) return;
  const name = node.tag.replace('tag:yaml.org,2002:', '!!');
  refuse(state, 'yaml-tag', `unknown tag ${name}`, node, { offset: tagOffset(state, node), hint: 'leave the tag out' });
}

const collectionTags = /^(?:!|tag:yaml\.org,2002:(?:map|seq|set|omap|pairs))$/;

/** Where the tag before a node starts; the tree keeps only where the node itself does. */
function tagOffset(state: State, node: Node): number {
  const start = node.range?.[0] ?? 0;
  const mark = state.source.lastIndexOf('!', start - 1);
  if (mark === -1) return start;
  const blank = /[\s[{,]/;
  let at = mark;
  while (at > 0 && !blank.test(state.source[at - 1] as string)) at -= 1;
  return at;
}

function duplicate(state: State, key: string, first: Node, second: Node): void {
  const message = `duplicate key ${JSON.stringify(key)}`;
  const hint = 'keep one of them: Kubernetes would take the last, or refuse the object';
  refuse(state, 'duplicate-key', message, second, { also: first.range?.[0] ?? 0, hint });
}

function refuse(
  state: State,
  code: DiagnosticCode,
  message: string,
  node: Node,
  more: Partial<Pick<ValueProblem, 'offset' | 'also' | 'hint'>> = {},
): void {
  if (state.copying > 0) return;
  state.problems.push({ code, message, offset: node.range?.[0] ?? 0, path: [...state.path], ...more });
}

/** Plain assignment to `__proto__` would change the object's prototype instead of adding a key. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
