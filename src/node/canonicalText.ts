import type { Family } from '../common/addresses/family.ts';
import { compareBytes } from '../common/compareBytes.ts';
import { inPieces } from '../common/inPieces.ts';
import { printIpset } from '../netfilter/ipset/printIpset.ts';
import { builtinChains } from '../netfilter/iptables/builtinChains.ts';
import { printRule } from '../netfilter/iptables/print/printRule.ts';
import { readSavedRule } from '../netfilter/iptables/read/readSavedRule.ts';
import { printIpvs } from '../netfilter/ipvs/printIpvs.ts';
import type { NftChain, NftElement, NftSet } from '../netfilter/nft/ast.ts';
import { withoutHandle } from '../netfilter/nft/withoutHandle.ts';
import { writeTable } from '../netfilter/nft/write/writeTable.ts';
import { linesOf } from './lines/chainLines.ts';
import type { NodeRules, RuleTable, ToolRules } from './nodeRules.ts';
import type { RuleChain } from './ruleChain.ts';
import { everyTool } from './ruleKinds.ts';
import { ruleOf } from './rulesOf.ts';

/**
 * The canonical text of a node, in pieces: what each tool saves, without counters, dates, handles and the tools'
 * comments; tables, chains, sets and elements in the order of their names; every rule as the kernel's current tools
 * spell it. Two dumps that differ only in meaningless details have the same text.
 */
export function* canonicalText(node: NodeRules): Iterable<string> {
  const sorted = [...everyTool(node)].sort((a, b) => compareBytes(titleOf(a), titleOf(b)));
  for (const rules of sorted) {
    yield `# ${titleOf(rules)}\n`;
    yield* printers[rules.kind](rules);
  }
}

function titleOf({ kind, family, backend }: ToolRules): string {
  return `${kind} ${family}${backend ? ` ${backend}` : ''}`;
}

const printers: Readonly<Record<ToolRules['kind'], (rules: ToolRules) => Iterable<string>>> = {
  iptables: iptablesText,
  nftables: nftText,
  ipset: ipsetText,
  ipvs: ipvsText,
  addresses: addressText,
};

function* iptablesText(rules: ToolRules): Iterable<string> {
  for (const table of tablesByName(rules)) {
    yield `*${table.name}\n`;
    const chains = savedOrder(table.name, table);
    let head = '';
    for (const { name, policy } of chains) head += `:${name} ${policy ?? '-'} [0:0]\n`;
    yield head;
    for (const chain of chains) yield* inPieces(canonicalLines(chain, rules.family));
    yield 'COMMIT\n';
  }
}

/** Line by line, because the rules of a dump of a million lines do not fit into memory at once. */
function* canonicalLines({ text }: RuleChain, family: Family): Iterable<string> {
  for (let from = 0; from < text.length; ) {
    let end = text.indexOf('\n', from);
    if (end === -1) end = text.length;
    const line = text.slice(from, end);
    yield readSavedRule(line, family, undefined) === undefined ? canonicalLine(line, family) : line;
    from = end + 1;
  }
}

function canonicalLine(line: string, family: Family): string {
  const rule = ruleOf(line, family);
  return rule.chain === '' && rule.target?.kind === 'other' ? rule.target.name : printRule(rule, 'save', family);
}

/** Built-in chains first, as iptables-save prints them; the engine sorts half a million names fastest as plain strings. */
function savedOrder(table: string, { chains }: RuleTable): readonly RuleChain[] {
  const builtin = builtinChains(table).filter((name) => chains.has(name));
  const own = [...chains.keys()].filter((name) => !builtin.includes(name)).sort();
  return [...builtin, ...own].map((name) => chains.get(name) as RuleChain);
}

function* nftText(rules: ToolRules): Iterable<string> {
  for (const table of tablesByName(rules)) {
    const [family = '', name = ''] = table.name.split(' ');
    const { handle: _, ...rest } = table.nft ?? { family, name };
    const chains: NftChain[] = [];
    const sets: NftSet[] = [];
    for (const { content } of chainsByName(table)) {
      if (content?.kind === 'nftChain') chains.push(plainChain(content.chain));
      if (content?.kind === 'nftSet') sets.push(plainSet(content.set));
    }
    yield* writeTable({ ...rest, chains, sets });
  }
}

function plainChain({ handle: _, ...chain }: NftChain): NftChain {
  return { ...chain, rules: chain.rules.map(withoutHandle) };
}

/** Elements that rules add come and go, so the canonical text leaves them out. */
function plainSet({ handle: _, ...set }: NftSet): NftSet {
  if (set.flags.includes('dynamic') || set.timeout !== undefined) return { ...set, elements: [] };
  const elements = set.elements.map((element) => ({ key: element.key.join(' . '), element: plainElement(element) }));
  return { ...set, elements: elements.sort((a, b) => compareBytes(a.key, b.key)).map(({ element }) => element) };
}

function plainElement({ expires: _, counter: __, limit: ___, ...element }: NftElement): NftElement {
  return element;
}

function* ipsetText(rules: ToolRules): Iterable<string> {
  for (const table of tablesByName(rules)) {
    const sets = chainsByName(table).flatMap(({ content }) => (content?.kind === 'ipset' ? content.set : []));
    const sorted = sets.map((set) => ({
      ...set,
      members: [...set.members].sort((a, b) => compareBytes(a.member, b.member)),
    }));
    yield* printIpset({ kind: 'ipset', sets: sorted });
  }
}

function* ipvsText(rules: ToolRules): Iterable<string> {
  for (const table of tablesByName(rules)) {
    const services = chainsByName(table).flatMap(({ content }) =>
      content?.kind === 'virtualServer' ? content.service : [],
    );
    const sorted = services.map((service) => ({
      ...service,
      servers: [...service.servers].sort((a, b) => compareBytes(`${a.ip} ${a.port}`, `${b.ip} ${b.port}`)),
    }));
    yield* printIpvs({ kind: 'ipvs', services: sorted });
  }
}

function* addressText(rules: ToolRules): Iterable<string> {
  for (const table of tablesByName(rules)) {
    for (const chain of chainsByName(table)) {
      yield* inPieces([...new Set(linesOf(chain))].sort(compareBytes));
    }
  }
}

function tablesByName({ tables }: ToolRules): readonly RuleTable[] {
  return [...tables.values()].sort((a, b) => compareBytes(a.name, b.name));
}

function chainsByName({ chains }: RuleTable): readonly RuleChain[] {
  return [...chains.values()].sort((a, b) => compareBytes(a.name, b.name));
}
