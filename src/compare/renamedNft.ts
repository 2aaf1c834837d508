import { linesOf, numbersOf } from '../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import type { ChainDiff } from './compareSets.ts';
import type { RenamedChain, RenamedRules } from './renamedChain.ts';

/**
 * Finds chains and sets of nftables mode that do the same as expected ones under the name of another Service port: those
 * that an address or a node port leads to on both sides, and what belongs to them. `diffs`: what differs by names.
 */
export function renamedNft(diffs: readonly ChainDiff[], found: ToolRules): RenamedRules {
  let renamed = found;
  const all: RenamedChain[] = [];
  for (const [name, table] of found.tables) {
    if (!table.isWhole) continue;
    const own = diffs.filter((diff) => diff.table === name);
    const pairs = pairsOf(own, portsRenamed(own));
    if (pairs.length === 0) continue;
    for (const pair of pairs) all.push({ table: name, ...pair });
    renamed = { ...renamed, tables: new Map([...renamed.tables, [name, withNames(table, own, pairs)]]) };
  }
  return { found: renamed, renamed: all };
}

/** Service ports as names in the dump have them (`shop/web/tcp/http`), with those that the expected names have instead. */
function portsRenamed(diffs: readonly ChainDiff[]): ReadonlyMap<string, string> {
  const ports = new Map<string, string>();
  for (const diff of diffs) {
    if (diff.expected === undefined || diff.found === undefined || !diff.chain.startsWith('map ')) continue;
    const targets = new Map(diff.missing.flatMap((at) => elementOf(linesOf(diff.expected)[at])));
    for (const [key, target] of diff.extra.flatMap((at) => elementOf(linesOf(diff.found)[at]))) {
      const [own, should] = [partsOf(target), partsOf(targets.get(key) ?? '')];
      if (own === undefined || should === undefined || own.kind !== should.kind || own.port === should.port) continue;
      if (!ports.has(own.port)) ports.set(own.port, should.port);
    }
  }
  return ports;
}

/** `10.96.0.10 . tcp . 53 : goto service-…`: the key, and the chain. */
function elementOf(line: string | undefined): readonly (readonly [string, string])[] {
  const [key, target] = line?.split(leads) ?? [];
  return key === undefined || target === undefined ? [] : [[key, target]];
}

const leads = ' : goto ';

type Pair = Omit<RenamedChain, 'table'>;

/** What differs only in its name: the chains and sets of a Service port, and of its endpoints. */
function pairsOf(diffs: readonly ChainDiff[], ports: ReadonlyMap<string, string>): readonly Pair[] {
  if (ports.size === 0) return [];
  const lost = new Map<string, RuleChain>();
  for (const { expected, found } of diffs) {
    const parts = found === undefined && expected !== undefined ? partsOf(expected.name) : undefined;
    if (parts !== undefined) lost.set(keyOf(parts), expected as RuleChain);
  }
  return diffs.flatMap(({ expected, found }) => {
    const parts = expected === undefined && found !== undefined ? partsOf(found.name) : undefined;
    const port = parts && ports.get(parts.port);
    const match = parts && port !== undefined && lost.get(keyOf({ ...parts, port }));
    return match ? [{ expected: match, found: found as RuleChain }] : [];
  });
}

interface NameParts {
  /** `service`, `endpoint`, `set affinity`. */
  readonly kind: string;
  /** `namespace/name/protocol/port`. */
  readonly port: string;
  /** `__10.244.1.7/8080`; empty: it is of no single endpoint. */
  readonly endpoint: string;
}

/** The name of a chain or set of a Service port, without its hash: that is made of the rest. */
function partsOf(name: string): NameParts | undefined {
  const at = name.indexOf('-');
  const text = name.slice(at + 1 + hashLength);
  if (at < 0 || !text.startsWith('-') || !text.includes('/')) return undefined;
  const end = text.indexOf('__');
  const port = end < 0 ? text : text.slice(0, end);
  return { kind: name.slice(0, at), port: port.slice(1), endpoint: end < 0 ? '' : text.slice(end) };
}

const hashLength = 8;

function keyOf({ kind, port, endpoint }: NameParts): string {
  return `${kind} ${port} ${endpoint}`;
}

/** The table with the expected names, in what differs: what is as expected names no other. */
function withNames(table: RuleTable, diffs: readonly ChainDiff[], pairs: readonly Pair[]): RuleTable {
  const names = new Map(pairs.map(({ expected, found }) => [bare(found.name), bare(expected.name)]));
  const chains = new Map(table.chains);
  for (const { found } of diffs) {
    if (found === undefined) continue;
    const name = withWords(found.name, names);
    const text = linesOf(found)
      .map((line) => withWords(line, names))
      .join('\n');
    chains.delete(found.name);
    chains.set(name, { ...found, name, text, firstLine: 0, lineNumbers: numbersOf(found) });
  }
  return { ...table, chains };
}

/** `set affinity-…` is `@affinity-…` in rules. */
function bare(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

function withWords(line: string, names: ReadonlyMap<string, string>): string {
  return line
    .split(' ')
    .map((word) => {
      const [, before = '', name = '', after = ''] = named.exec(word) ?? [];
      return `${before}${names.get(name) ?? name}${after}`;
    })
    .join(' ');
}

/** A word without what rules put around a name. */
const named = /^(@?)(.*?)(,?)$/s;
