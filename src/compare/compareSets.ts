import type { Family } from '../common/addresses/family.ts';
import { pushAll } from '../common/pushAll.ts';
import { builtinChains } from '../netfilter/iptables/builtinChains.ts';
import { isProxyService } from '../netfilter/ipvs/isProxyService.ts';
import { isPolicySet } from '../netfilter/policyParts.ts';
import { isBalancingChain, isKubeName, isNeighbourChain, isProxyChain } from '../netfilter/proxyChains.ts';
import type { EqualChains } from '../node/chains/equalChains.ts';
import { isProxySnat } from '../node/isProxySnat.ts';
import { hasLines, lineCount, linesOf, numberAt, placesOf } from '../node/lines/chainLines.ts';
import { endsEarly } from '../node/lostLines.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { rulesOf, targetName } from '../node/rulesOf.ts';
import { type CompareLevel, diffChain } from './diffChain.ts';
import { areSameLadders, readLadder } from './ladder.ts';
import { noteLostChains, noteLostTables, noteUnseen, type UnseenRules } from './unseenRules.ts';

/** One chain in which the two sides differ. */
export interface ChainDiff {
  readonly expectedSet: ToolRules;
  readonly foundSet: ToolRules;
  readonly table: string;
  readonly chain: string;
  /** Undefined: the chain is only in the dump. */
  readonly expected: RuleChain | undefined;
  /** Undefined: the dump lacks the chain. */
  readonly found: RuleChain | undefined;
  readonly missing: readonly number[];
  readonly extra: readonly number[];
  readonly moved: readonly (readonly [number, number])[];
  /** Both sides have a policy, and they differ. */
  readonly policies?: { readonly expected: string; readonly found: string };
}

export interface SetDiff {
  readonly chains: readonly ChainDiff[];
  readonly unseen: readonly UnseenRules[];
  /** Rules of other programs, which are not compared. */
  readonly foreignRules: number;
}

export interface CompareOptions {
  readonly level: CompareLevel;
  /**
   * Compares chains of other programs too, and the policies of shared chains (two dumps), or only what belongs to
   * kube-proxy.
   */
  readonly hasForeign: boolean;
  /** Chains that are known to be as expected. */
  readonly equal?: EqualChains;
}

/**
 * Compares everything that two rule sets of one kind and family have in common. If a table was not dumped whole, only
 * the rules that exist are compared: missing ones mean nothing, and are unseen where lines of the table were lost.
 */
export function compareSets(expected: ToolRules, found: ToolRules, options: CompareOptions): SetDiff {
  const chains: ChainDiff[] = [];
  const unseen: UnseenRules[] = [];
  let foreignRules = 0;
  for (const table of found.tables.values()) {
    const should = expected.tables.get(table.name);
    if (should === undefined && !options.hasForeign) {
      for (const chain of table.chains.values()) foreignRules += lineCount(chain);
      continue;
    }
    const mayHaveMore = should === undefined ? endsEarly(expected) : should.hasLostLines === true;
    const context = { expected, found, table, options, mayHaveMore, unseen };
    const isBare = should !== undefined && !hasDeclarations(should);
    for (const chain of options.equal?.othersOf(table) ?? table.chains.values()) {
      const own = should?.chains.get(chain.name);
      const policies = own && policiesOf(own, chain, context);
      if (own !== undefined && policies === undefined && own.text === chain.text) continue;
      if (should === undefined && isUntouched(table.name, chain)) continue;
      // Rules alone do not show which chains are empty.
      if (own === undefined && isBare && !hasLines(chain)) continue;
      if (own === undefined && !options.hasForeign && !isOurs(found.kind, chain)) {
        foreignRules += lineCount(chain);
        continue;
      }
      const { diff, foreign } = compareChain(context, own, chain);
      foreignRules += foreign;
      if (policies) chains.push({ ...(diff ?? equalLines(context, own, chain)), policies });
      else if (diff) chains.push(diff);
    }
    if (!table.isWhole) {
      noteLostChains(should, table, unseen);
      continue;
    }
    // If no Service has a family, kube-proxy's sets of that family only have a type and may be missing.
    const isAllGone = found.kind === 'ipset' && table.chains.size === 0;
    for (const chain of should?.chains.values() ?? []) {
      if (table.chains.has(chain.name) || (isAllGone && lineCount(chain) < 2)) continue;
      chains.push({ ...sides(context), chain: chain.name, expected: chain, found: undefined, ...allMissing(chain) });
    }
  }
  if (endsEarly(found)) noteLostTables(expected, found, unseen);
  else if (options.hasForeign) pushAll(chains, lostTables(expected, found));
  return { chains, unseen, foreignRules };
}

function* lostTables(expected: ToolRules, found: ToolRules): Iterable<ChainDiff> {
  for (const table of expected.tables.values()) {
    if (found.tables.has(table.name)) continue;
    for (const chain of table.chains.values()) {
      if (isUntouched(table.name, chain)) continue;
      const sets = { expectedSet: expected, foundSet: found, table: table.name, chain: chain.name };
      yield { ...sets, expected: chain, found: undefined, ...allMissing(chain) };
    }
  }
}

function hasDeclarations({ chains }: RuleTable): boolean {
  for (const { isDeclared } of chains.values()) if (isDeclared) return true;
  return false;
}

/** A table that nobody wrote to may exist or not: it has only its built-in chains. */
function isUntouched(table: string, chain: RuleChain): boolean {
  return !hasLines(chain) && chain.policy === 'ACCEPT' && builtinChains(table).includes(chain.name);
}

/** No manifest sets the policies of shared chains; nft chains belong to kube-proxy. */
function policiesOf(expected: RuleChain, found: RuleChain, { options, found: { kind } }: Context) {
  const [one, other] = [expected.policy, found.policy];
  if (one === undefined || other === undefined || one === other) return undefined;
  return options.hasForeign || kind === 'nftables' ? { expected: one, found: other } : undefined;
}

interface Context {
  readonly expected: ToolRules;
  readonly found: ToolRules;
  readonly table: RuleTable;
  readonly options: CompareOptions;
  /** The expected side lost lines of the table. */
  readonly mayHaveMore: boolean;
  readonly unseen: UnseenRules[];
}

function sides({ expected, found, table }: Context) {
  return { expectedSet: expected, foundSet: found, table: table.name };
}

function allMissing(chain: RuleChain) {
  return { missing: placesOf(chain), extra: none, moved: none };
}

const none: readonly never[] = [];

function allExtra({ expected, found, table }: Context, chain: RuleChain): ChainDiff {
  return {
    expectedSet: expected,
    foundSet: found,
    table: table.name,
    chain: chain.name,
    expected: undefined,
    found: chain,
    missing: none,
    extra: placesOf(chain),
    moved: none,
  };
}

function equalLines(context: Context, expected: RuleChain | undefined, found: RuleChain): ChainDiff {
  return { ...sides(context), chain: found.name, expected, found, missing: [], extra: [], moved: [] };
}

function isOurs(kind: ToolRules['kind'], { name, content }: RuleChain): boolean {
  if (kind === 'ipset') return isKubeName(name) && !isPolicySet(name);
  if (content?.kind === 'virtualServer') return isProxyService(content.service);
  return kind === 'iptables' ? isProxyChain(name) : true;
}

function compareChain(
  context: Context,
  expected: RuleChain | undefined,
  found: RuleChain,
): { readonly diff: ChainDiff | undefined; readonly foreign: number } {
  const { options, table, mayHaveMore, unseen } = context;
  if (expected === undefined) {
    if (!mayHaveMore) return { diff: allExtra(context, found), foreign: 0 };
    noteUnseen(unseen, table, found, placesOf(found));
    return { diff: undefined, foreign: 0 };
  }
  const balance = freeSteps(context, expected, found);
  const isOnlyOurs = context.found.kind === 'iptables' && !options.hasForeign;
  const own =
    isOnlyOurs && builtinChains(table.name).includes(found.name)
      ? ownLines(found, expected, context.found.family)
      : undefined;
  let foreign = own === undefined ? 0 : linesOf(found).length - own.length;
  const compared = own === undefined || foreign === 0 ? found : withLines(found, own);
  const lines = diffChain(expected, compared, context.found, options.level, () => balance().expected);
  if (lines === undefined) return { diff: undefined, foreign };
  let { missing, extra, moved } = lines;
  if (own !== undefined && foreign > 0) {
    extra = extra.map((at) => own[at] as number);
    moved = moved.map(([one, other]) => [one, own[other] as number] as const);
  }
  // kube-proxy inserts its jumps at the front one by one, and only missing ones: their order means nothing.
  if (own !== undefined) moved = [];
  if (isOnlyOurs && isNeighbourChain(table.name, found.name)) {
    foreign += extra.length;
    extra = [];
  }
  // Sets that are not shown to their end were left out when they were read.
  if (!table.isWhole && context.found.kind !== 'ipset') {
    if (table.hasLostLines) noteUnseen(unseen, table, expected, missing);
    missing = [];
  }
  if (mayHaveMore) {
    noteUnseen(unseen, table, found, extra);
    extra = [];
  }
  const free = balance();
  missing = missing.filter((at) => !free.expected.has(at));
  extra = extra.filter((at) => !free.found.has(at));
  const hasNone = missing.length + extra.length + moved.length === 0;
  return { diff: hasNone ? undefined : { ...equalLines(context, expected, found), missing, extra, moved }, foreign };
}

/** Places of the rules that are compared: those of other programs are not parsed. */
function ownLines(found: RuleChain, expected: RuleChain, family: Family): readonly number[] {
  // The kubelet writes the jump to KUBE-FIREWALL too, so it only belongs to kube-proxy if it is expected.
  let isShared = linesOf(expected).some((line) => targetName(line) === 'KUBE-FIREWALL');
  return linesOf(found).flatMap((line, at) => {
    if (!isForeignRule(line, family)) return at;
    if (!isShared || targetName(line) !== 'KUBE-FIREWALL') return [];
    isShared = false;
    return at;
  });
}

function withLines(chain: RuleChain, places: readonly number[]): RuleChain {
  const lines = linesOf(chain);
  return {
    ...chain,
    text: places.map((at) => lines[at]).join('\n'),
    lineNumbers: places.map((at) => numberAt(chain, at)),
  };
}

/** A rule of another program in a chain that all write to. */
function isForeignRule(line: string, family: Family): boolean {
  return !isProxyChain(targetName(line)) && !isProxySnat(line, family);
}

/** Places of balancing rules on both sides. */
interface Steps {
  readonly expected: ReadonlySet<number>;
  readonly found: ReadonlySet<number>;
}

const noSteps: Steps = { expected: new Set(), found: new Set() };

/** Balancing rules that may differ because they give every endpoint the same share; read on demand. */
function freeSteps(context: Context, expected: RuleChain, found: RuleChain): () => Steps {
  let steps: Steps | undefined;
  return () => {
    steps ??= readFreeSteps(context, expected, found);
    return steps;
  };
}

function readFreeSteps(context: Context, expected: RuleChain, found: RuleChain): Steps {
  const { kind, family } = context.found;
  const isByMeaning = context.options.level === 'rules' || context.options.level === 'roles';
  const isBalancing = kind === 'iptables' && isBalancingChain(found.name) && context.table.isWhole;
  if (!isByMeaning || !isBalancing) return noSteps;
  const [one, other] = [readLadder(rulesOf(expected, family)), readLadder(rulesOf(found, family))];
  return areSameLadders(one, other) ? { expected: new Set(one.steps), found: new Set(other.steps) } : noSteps;
}
