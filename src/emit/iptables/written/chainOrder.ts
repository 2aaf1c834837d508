import { ascending } from '../../../common/ascending.ts';
import { listChanges } from '../../../common/listChanges.ts';
import { flatText } from '../../../common/text/flatText.ts';
import { chainLine, type SavedBlock } from '../savedTable.ts';
import type { WrittenService } from './writtenService.ts';

/**
 * All chains of Services in byte order, in blocks of some hundreds. From one state of the objects to the next only those
 * blocks are made again in which chains came or went: a large node has a hundred thousand chains.
 */
export interface ChainOrder {
  /** Undefined: two Service ports write into one chain, and only rules that are written together tell in which order. */
  readonly blocksOf: (services: readonly WrittenService[]) => readonly ChainBlock[] | undefined;
}

/** Chains of one prefix that follow each other. */
export interface ChainBlock extends SavedBlock {
  /** By place of the name: the chain's lines, without the last newline. */
  readonly texts: readonly string[];
}

const mostChains = 512;

export function chainOrder(): ChainOrder {
  let blocks: readonly ChainBlock[] = [];
  let services: readonly WrittenService[] = [];
  return {
    blocksOf: (wanted) => {
      const { gone, added } = listChanges(services, wanted);
      const changes = changesOf(gone, added);
      const next = changes && changed(blocks, changes);
      blocks = next ?? [];
      services = next === undefined ? [] : wanted;
      return next;
    },
  };
}

interface Change {
  readonly name: string;
  readonly isGone: boolean;
  /** Undefined: nothing takes its place. */
  readonly text: string | undefined;
}

/** By name; undefined: one name is added twice. */
function changesOf(gone: readonly WrittenService[], added: readonly WrittenService[]): readonly Change[] | undefined {
  const changes = new Map<string, Change>();
  for (const { chains } of gone)
    for (const [name] of chains) changes.set(name, { name, isGone: true, text: undefined });
  for (const { chains } of added) {
    for (const [name, text] of chains) {
      const earlier = changes.get(name);
      if (earlier?.text !== undefined) return undefined;
      changes.set(name, { name, isGone: earlier?.isGone === true, text });
    }
  }
  return [...changes.values()].sort((a, b) => ascending(a.name, b.name));
}

/** Undefined: a chain is added that is there already. */
function changed(blocks: readonly ChainBlock[], changes: readonly Change[]): readonly ChainBlock[] | undefined {
  const all: ChainBlock[] = [];
  let at = 0;
  for (const [place, block] of (blocks.length === 0 ? [noChains] : blocks).entries()) {
    const until = blocks[place + 1]?.names[0];
    const from = at;
    while (at < changes.length && (until === undefined || (changes[at] as Change).name < until)) at += 1;
    if (from === at) {
      all.push(block);
      continue;
    }
    const made = withChanges(block, changes.slice(from, at));
    if (made === undefined) return undefined;
    all.push(...made);
  }
  return all;
}

const noChains: ChainBlock = { names: [], texts: [], heads: '', rules: '' };

function withChanges({ names, texts }: ChainBlock, changes: readonly Change[]): readonly ChainBlock[] | undefined {
  const chains = new Map(names.map((name, at) => [name, texts[at] as string]));
  for (const { name, isGone, text } of changes) {
    if (isGone) chains.delete(name);
    if (text === undefined) continue;
    if (chains.has(name)) return undefined;
    chains.set(name, text);
  }
  const sorted = [...chains.keys()].sort();
  return inBlocks(
    sorted,
    sorted.map((name) => chains.get(name) ?? ''),
  );
}

function inBlocks(names: readonly string[], texts: readonly string[]): readonly ChainBlock[] {
  const blocks: ChainBlock[] = [];
  for (let from = 0; from < names.length; ) {
    const prefix = prefixOf(names[from] as string);
    let to = from + 1;
    while (to < names.length && to < from + mostChains && (names[to] as string).startsWith(prefix)) to += 1;
    blocks.push(blockOf(names.slice(from, to), texts.slice(from, to)));
    from = to;
  }
  return blocks;
}

/** `KUBE-SEP-`. */
function prefixOf(name: string): string {
  return name.slice(0, name.lastIndexOf('-') + 1);
}

function blockOf(names: readonly string[], texts: readonly string[]): ChainBlock {
  let rules = '';
  for (const text of texts) if (text !== '') rules += `${text}\n`;
  return { names, texts, heads: names.map(chainLine).join(''), rules: flatText(rules) };
}
