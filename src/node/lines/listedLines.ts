import { impliedTable } from '../../netfilter/nft/read/impliedTable.ts';
import { opensBoundChain } from '../../netfilter/nft/read/listingState.ts';

/** Where a chain, set or map is in a listing of nft. */
export interface ListedBlock {
  /** The line on which it begins. */
  readonly declaredAt: number;
  /** For a base chain, the line with its hook. For a set, the line with its timeout. */
  property?: number;
  /** The line of each rule of a chain, or of each element of a set or map. */
  readonly items: number[];
  /** Lines of elements that are not in the order of the listing, by key. */
  readonly byKey?: ReadonlyMap<string, number>;
}

/**
 * `ip kube-proxy services`, `ip kube-proxy map service-ips` with their lines in the output of `nft list ruleset`. A
 * text in another form, such as JSON, has none.
 */
export function listedLines(text: string): ReadonlyMap<string, ListedBlock> {
  const blocks = new Map<string, ListedBlock>();
  let table = impliedTable(text);
  let block: ListedBlock | undefined;
  let isChain = false;
  let isElements = false;
  let depth = 0;
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const raw = lines[at] ?? '';
    const line = raw.trim();
    // A chain inside a rule: its lines belong to the rule.
    if (depth > 0 || (isChain && block !== undefined && opensBoundChain(line))) {
      if (depth === 0) block?.items.push(at + 1);
      if (/\{(?: # handle \d+)?$/.test(line)) depth += 1;
      else if (line.startsWith('}')) depth -= 1;
    } else if (isElements && block !== undefined) {
      isElements = addElements(block.items, line, at + 1);
    } else if (line === '}') {
      block = undefined;
    } else if (block === undefined) {
      table = /^table (\S+ \S+) \{/.exec(line)?.[1] ?? table;
      const [, chain, set] = /^\s*(?:chain (\S+)|((?:set|map) \S+)) \{/.exec(raw) ?? [];
      const name = chain ?? set;
      if (name === undefined) continue;
      block = { declaredAt: at + 1, items: [] };
      isChain = chain !== undefined;
      blocks.set(`${table} ${name}`, block);
    } else if (isChain) {
      if (block.items.length === 0 && /^type \S+ hook /.test(line)) block.property = at + 1;
      else if (line !== '' && !(block.items.length === 0 && line.startsWith('comment "'))) block.items.push(at + 1);
    } else if (line.startsWith('timeout ')) {
      block.property = at + 1;
    } else if (line.startsWith(elements)) {
      isElements = addElements(block.items, line.slice(elements.length), at + 1);
    }
  }
  return blocks;
}

const elements = 'elements = {';

/** Commas separate elements; a comma in quotes is part of a comment. False: this text had the closing brace. */
function addElements(items: number[], line: string, number: number): boolean {
  const bare = line.includes('"') ? line.replace(/"[^"]*"/g, '') : line;
  const isOpen = !bare.endsWith('}');
  for (const piece of bare.replace(/\}$/, '').split(',')) if (piece.trim() !== '') items.push(number);
  return isOpen;
}
