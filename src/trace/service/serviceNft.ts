import { escapeText } from '../../common/text/escapeText.ts';
import type { NftChain, NftElement, NftRule, NftSet, Statement } from '../../netfilter/nft/ast.ts';
import { writeKey } from '../../netfilter/nft/element.ts';
import { withoutHandle } from '../../netfilter/nft/withoutHandle.ts';
import { writeRule } from '../../netfilter/nft/write/writeRule.ts';
import { writeTable } from '../../netfilter/nft/write/writeTable.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import { hairpinKey, hairpinKeys } from '../../seen/nft/hairpinSet.ts';
import { chainOrder, type OrderedRule } from './chainOrder.ts';
import type { IsAsked } from './isAsked.ts';
import { ruleSentence } from './nftSentence.ts';

/**
 * One Service's part of kube-proxy's table: each chain follows the sets and maps that its rules are the first to use.
 */
export function* serviceNft(rules: ToolRules, isAsked: IsAsked, isAnnotated: boolean): Iterable<string> {
  for (const table of rules.tables.values())
    if (isProxyTable(table.name)) yield* tableText(table, isAsked, isAnnotated);
}

function* tableText(table: RuleTable, isAsked: IsAsked, isAnnotated: boolean): Iterable<string> {
  const { chains, sets } = narrowed(table, isAsked);
  const ordered = chainOrder(basesOf(chains), (name) =>
    chains.get(name)?.rules.flatMap((rule): readonly OrderedRule[] => {
      const maps = setsOf(rule).map((set) => sets.get(set));
      if (maps.some((map) => map?.kind === 'map' && map.elements.length === 0)) return [];
      return [
        {
          text: writeRule(rule, 'listing'),
          calls: callsOf(rule, sets),
          sentence: escapeText(ruleSentence(rule, sets)),
        },
      ];
    }),
  );
  if (!ordered.some(({ name }) => isAsked(nftServiceName(name))) && !hasElements(sets, isAsked)) return;
  const [family = '', name = ''] = table.name.split(' ');
  const shown = new Set<string>();
  yield `table ${family} ${name} {\n`;
  for (const { name: chainName, rules } of ordered) {
    const chain = chains.get(chainName) as NftChain;
    const texts = new Set(rules.map(({ text }) => text));
    for (const rule of chain.rules) {
      for (const setName of texts.has(writeRule(rule, 'listing')) ? setsOf(rule) : []) {
        const set = sets.get(setName);
        if (set === undefined || shown.has(setName)) continue;
        shown.add(setName);
        if (isAnnotated) yield* set.elements.map((element) => elementSentence(element, set));
        yield `${body(family, name, [set], [])}\n`;
      }
    }
    yield body(family, name, [], [{ ...chain, rules: [] }]).slice(0, -'\t}\n'.length);
    for (const { text, sentence } of rules) yield `${isAnnotated ? `\t\t# ${sentence}\n` : ''}\t\t${text}\n`;
    yield chainName === ordered.at(-1)?.name ? '\t}\n' : '\t}\n\n';
  }
  yield '}\n';
}

/** The text between the braces of a table. */
function body(family: string, name: string, sets: readonly NftSet[], chains: readonly NftChain[]): string {
  return [...writeTable({ family, name, sets, chains })].slice(1, -1).join('');
}

interface Parts {
  readonly chains: ReadonlyMap<string, NftChain>;
  readonly sets: ReadonlyMap<string, NftSet>;
}

/** All chains, and sets and maps with the elements that belong to the Service or to all. */
function narrowed(table: RuleTable, isAsked: IsAsked): Parts {
  const chains = new Map<string, NftChain>();
  const sets = new Map<string, NftSet>();
  for (const { content } of table.chains.values()) {
    if (content?.kind === 'nftChain') {
      const { handle: _, ...chain } = content.chain;
      chains.set(chain.name, { ...chain, rules: chain.rules.map(withoutHandle) });
    }
    if (content?.kind !== 'nftSet') continue;
    const { handle: _, ...set } = content.set;
    const isDynamic = set.flags.includes('dynamic') || set.timeout !== undefined;
    const elements = isDynamic ? [] : set.elements.filter((one) => set.kind === 'set' || isAsked(serviceOf(one)));
    sets.set(set.name, { ...set, elements });
  }
  const addresses = new Set(
    [...sets.values()].flatMap(({ kind, elements }) => (kind === 'map' ? elements.map(({ key }) => key[0]) : [])),
  );
  const endpoints = new Set(
    [...chains.values()].flatMap((chain) => (isAsked(nftServiceName(chain.name)) ? hairpinKeys(chain) : [])),
  );
  for (const [name, belongs] of [
    ['cluster-ips', ({ key }: NftElement) => addresses.has(key[0])],
    ['hairpin-connections', (element: NftElement) => endpoints.has(hairpinKey(element))],
  ] as const) {
    const set = sets.get(name);
    if (set !== undefined) sets.set(name, { ...set, elements: set.elements.filter(belongs) });
  }
  return { chains, sets };
}

/** Base chains in the order of their hooks and priorities. */
function basesOf(chains: ReadonlyMap<string, NftChain>): readonly string[] {
  const place = ({ base }: NftChain) => hooks.indexOf(base?.hook ?? '') * 100_000 + (base?.priority ?? 0);
  const bases = [...chains.values()].filter(({ base }) => base !== undefined);
  return bases.sort((a, b) => place(a) - place(b)).map(({ name }) => name);
}

const hooks = ['ingress', 'prerouting', 'output', 'input', 'forward', 'postrouting'];

function serviceOf({ verdict, comment }: NftElement): string | undefined {
  return nftServiceName(verdict !== undefined && 'chain' in verdict ? verdict.chain : '') ?? comment;
}

function hasElements(sets: ReadonlyMap<string, NftSet>, isAsked: IsAsked): boolean {
  return [...sets.values()].some(({ elements }) => elements.some((element) => isAsked(serviceOf(element))));
}

/** Sets and maps that a rule looks into. */
function setsOf({ statements }: NftRule): readonly string[] {
  return statements.flatMap((one) => {
    if (one.kind === 'match') return one.right.kind === 'namedSet' ? one.right.name : [];
    if (one.kind === 'setUpdate') return one.set;
    const map = mapOf(one);
    return map?.kind === 'namedMap' ? map.name : [];
  });
}

function mapOf(statement: Statement) {
  return statement.kind === 'vmap' ? statement.map : statement.kind === 'nat' ? statement.lookup?.map : undefined;
}

function callsOf({ statements }: NftRule, sets: ReadonlyMap<string, NftSet>): readonly string[] {
  return statements.flatMap((one) => {
    if (one.kind === 'verdict') return 'chain' in one.verdict ? one.verdict.chain : [];
    const map = one.kind === 'vmap' ? one.map : undefined;
    const elements = map?.kind === 'namedMap' ? sets.get(map.name)?.elements : map?.elements;
    return (elements ?? []).flatMap(({ verdict }) =>
      verdict !== undefined && 'chain' in verdict ? verdict.chain : [],
    );
  });
}

function elementSentence({ key, verdict }: NftElement, { name, type }: NftSet): string {
  const written = writeKey(key, 'listing', type);
  const to =
    verdict === undefined
      ? `is in the set ${name}`
      : 'chain' in verdict
        ? `goes to ${verdict.chain}`
        : `meets ${verdict.kind}`;
  return `\t# ${escapeText(`What matches ${written} ${to}`)}.\n`;
}
