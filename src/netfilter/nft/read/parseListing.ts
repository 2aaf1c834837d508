import { isTyped } from '../../isTyped.ts';
import type { LineProblem } from '../../lineProblem.ts';
import type { ForeignBlock, NftChain, NftElement, NftRule, NftRuleset, NftSet, NftTable } from '../ast.ts';
import { readBaseChain } from '../baseChain.ts';
import { readElements } from '../element.ts';
import { readSetProperty, type SetHeader } from '../setHeader.ts';
import { writeRule } from '../write/writeRule.ts';
import { impliedTable } from './impliedTable.ts';
import { readRule } from './readRule.ts';
import { takeWord, tokenize } from './tokenizer.ts';

/**
 * Reads what `nft list ruleset` (or `list table`, `list chain` …) prints, with or without `-a`, `-n`, `-s`, `-t`. Never
 * throws: what cannot be read is reported with its line; rules that are not understood stay as they were written.
 */
export function parseListing(text: string): {
  readonly ruleset: NftRuleset;
  readonly problems: readonly LineProblem[];
} {
  const state: State = { lines: text.split('\n'), at: 0, problems: [] };
  const tables: NftTable[] = [];
  let isManagedByIptables = false;
  for (; state.at < state.lines.length; state.at += 1) {
    const line = trimmed(state);
    const opened = tableLine.exec(line);
    if (opened !== null) {
      tables.push(readTable(state, opened, isManagedByIptables));
      isManagedByIptables = false;
    } else if (warningLine.test(line)) {
      isManagedByIptables = true;
    } else if (blockLine.test(line)) {
      // A piece of a table, mostly kube-proxy's: that is what people copy.
      state.at -= 1;
      tables.push(readTable(state, ['', ...impliedTable(text).split(' ')], false, true));
    } else if (!isProse(line)) {
      problem(state, `not a table: ${line}`);
    }
  }
  return { ruleset: { kind: 'nftables', tables: joined(tables) }, problems: state.problems };
}

/** `list chain` and `list map` of one table, one after the other: of what was printed twice, the last counts. */
function joined(tables: readonly NftTable[]): readonly NftTable[] {
  const known = new Map<string, NftTable>();
  for (const table of tables) {
    const name = `${table.family} ${table.name}`;
    const before = known.get(name);
    known.set(name, before === undefined ? table : joinedTable(before, table));
  }
  return known.size === tables.length ? tables : [...known.values()];
}

function joinedTable(one: NftTable, other: NftTable): NftTable {
  const last = <T>(items: readonly T[], nameOf: (item: T) => string) => [
    ...new Map(items.map((item) => [nameOf(item), item])).values(),
  ];
  const foreign = [...(one.foreign ?? []), ...(other.foreign ?? [])];
  return {
    ...one,
    ...other,
    sets: last([...one.sets, ...other.sets], ({ kind, name }) => `${kind} ${name}`),
    chains: last([...one.chains, ...other.chains], ({ name }) => name),
    ...(foreign.length > 0 && { foreign }),
  };
}

interface State {
  readonly lines: readonly string[];
  at: number;
  readonly problems: LineProblem[];
}

const tableLine = /^table (\S+) (\S+) \{(?: # handle (\d+))?$/;
const warningLine = /^# Warning: table \S+ \S+ is managed by iptables-nft, do not touch!$/;
const blockLine = /^(set|map|chain) (\S+) \{(?: # handle (\d+))?$/;

function trimmed(state: State): string {
  return (state.lines[state.at] ?? '').trim();
}

function problem(state: State, message: string): void {
  state.problems.push({ line: state.at + 1, message });
}

/** Reads to the table's closing brace, which becomes the current line. */
function readTable(
  state: State,
  opened: readonly (string | undefined)[],
  isManagedByIptables: boolean,
  isImplied = false,
): NftTable {
  const family = opened[1] ?? '';
  const sets: NftSet[] = [];
  const chains: NftChain[] = [];
  const foreign: ForeignBlock[] = [];
  let properties: Pick<NftTable, 'comment' | 'flags'> = {};
  let bound = 0;
  for (state.at += 1; state.at < state.lines.length; state.at += 1) {
    const line = trimmed(state);
    if (line === '}') {
      break;
    }
    const block = blockLine.exec(line);
    if (block?.[1] === 'chain') {
      const named = () => {
        bound += 1;
        return `__chain${bound}`;
      };
      for (const chain of readChain(state, block, family, named)) chains.push(chain);
    } else if (block !== null) {
      sets.push(readSet(state, block));
    } else if (line.endsWith('{') || / \{ # handle \d+$/.test(line)) {
      foreign.push(readForeign(state, line));
    } else if (line !== '') {
      properties = readTableProperty(state, line, properties);
    }
  }
  return {
    family,
    name: opened[2] ?? '',
    ...properties,
    ...handleOf(opened),
    ...(isManagedByIptables ? { isManagedByIptables } : {}),
    ...cutOf(state, isImplied),
    sets,
    chains,
    ...(foreign.length === 0 ? {} : { foreign }),
  };
}

function cutOf(state: State, isImplied: boolean): Pick<NftTable, 'cut'> {
  if (isImplied) return { cut: 'its own line is missing' };
  return state.at >= state.lines.length ? { cut: 'its last brace is missing' } : {};
}

/** What stands around a listing: comments, fences, gaps, the command that was typed. */
function isProse(line: string): boolean {
  return line === '' || /^(?:#|```|~~~|\.{3,}$|…$)/.test(line) || isTyped(line, 'nft');
}

function readTableProperty(
  state: State,
  line: string,
  properties: Pick<NftTable, 'comment' | 'flags'>,
): Pick<NftTable, 'comment' | 'flags'> {
  const words = tokenize(line, true);
  const name = takeWord(words);
  const value = takeWord(words);
  if (name === 'comment' && value !== undefined) {
    return { ...properties, comment: value };
  }
  if (name === 'flags' && value !== undefined) {
    return { ...properties, flags: line.slice('flags '.length).split(',') };
  }
  problem(state, `not part of a table: ${line}`);
  return properties;
}

function readForeign(state: State, head: string): ForeignBlock {
  const indentation = /^\s*/.exec(state.lines[state.at] ?? '')?.[0] ?? '';
  const lines: string[] = [];
  while (state.at + 1 < state.lines.length) {
    state.at += 1;
    const line = state.lines[state.at] ?? '';
    lines.push(line);
    if (line === `${indentation}}`) {
      break;
    }
  }
  return { head, lines };
}

/** A chain, behind those that stand inside its rules. `named` makes names for these. */
function readChain(state: State, opened: RegExpExecArray, family: string, named: () => string): readonly NftChain[] {
  const rules: NftRule[] = [];
  const bound: NftChain[] = [];
  let properties: Pick<NftChain, 'base' | 'comment'> = {};
  for (state.at += 1; state.at < state.lines.length && trimmed(state) !== '}'; state.at += 1) {
    const line = state.lines[state.at] ?? '';
    if (line.trim() === '') {
      continue;
    }
    if (rules.length === 0 && isBase.test(line)) {
      const base = readBaseChain(tokenize(line, true), family);
      if (base === undefined) {
        problem(state, `not a base chain that is known: ${line.trim()}`);
      } else {
        properties = { ...properties, base };
      }
    } else if (rules.length === 0 && isComment.test(line)) {
      properties = { ...properties, comment: takeWord({ ...tokenize(line, true), at: 1 }) ?? '' };
    } else if (isBoundChain.test(line)) {
      rules.push(readBoundChain(state, bound, named));
    } else {
      rules.push(readListedRule(line));
    }
  }
  return [...bound, { name: opened[2] ?? '', ...properties, ...handleOf(opened), rules }];
}

/** `ip saddr 10.0.0.1 jump {`, with the rules of the chain below, to the brace that ends it and what stands behind that. */
function readBoundChain(state: State, bound: NftChain[], named: () => string): NftRule {
  const name = named();
  const lines = [state.lines[state.at] ?? ''];
  const rules: NftRule[] = [];
  for (state.at += 1; state.at < state.lines.length && !boundEnd.test(trimmed(state)); state.at += 1) {
    const from = state.at;
    const line = state.lines[state.at] ?? '';
    rules.push(
      isBoundChain.test(line) ? readBoundChain(state, bound, named) : readListedRule(line.replace(/^\t+/, '\t\t')),
    );
    lines.push(...state.lines.slice(from, state.at + 1));
  }
  const end = trimmed(state).replace(/^\}/, '');
  lines.push(state.lines[state.at] ?? '');
  bound.push({ name, isBound: true, rules });
  const [first = ''] = lines;
  const text = first.replace(/^\t+/, '');
  const rule = readRule(`${text.replace(/\{( # handle \d+)?$/, name)}${end}`, true);
  return { ...rule, written: lines.join('\n').replace(/^\t+/, '') };
}

const isBoundChain = /\b(?:jump|goto) \{(?: # handle \d+)?$/;
const boundEnd = /^\}(?: comment ".*")?(?: # handle \d+)?$/;

const isBase = /^\s*type \S+ hook /;
const isComment = /^\s*comment "/;

/** Keeps the text where ours would be another. */
function readListedRule(line: string): NftRule {
  const text = line.replace(/^\t\t?/, '');
  const rule = readRule(text, true);
  return writeRule(rule, 'listing') === text ? rule : { ...rule, written: text };
}

function readSet(state: State, opened: RegExpExecArray): NftSet {
  const elements: NftElement[] = [];
  let header: SetHeader = { type: [], flags: [] };
  for (state.at += 1; state.at < state.lines.length && trimmed(state) !== '}'; state.at += 1) {
    const line = trimmed(state);
    if (line.startsWith('elements = {')) {
      // One by one: loops over what may be a hundred thousand.
      for (const element of readElementLines(state)) {
        elements.push(element);
      }
    } else if (line !== '') {
      const words = tokenize(line, true);
      const next = readSetProperty(words, header);
      if (next === undefined || words.at < words.words.length) {
        problem(state, `not a property of a set that is known: ${line}`);
      } else {
        header = next;
      }
    }
  }
  return { kind: opened[1] === 'map' ? 'map' : 'set', name: opened[2] ?? '', ...header, ...handleOf(opened), elements };
}

/** Elements run over lines to the closing brace, which ends the last line. */
function readElementLines(state: State): readonly NftElement[] {
  const first = state.at;
  let text = trimmed(state).slice('elements = '.length);
  const pieces = [text];
  while (!text.endsWith('}') && state.at + 1 < state.lines.length) {
    state.at += 1;
    text = trimmed(state);
    pieces.push(text);
  }
  const words = tokenize(pieces.join(' '), true);
  const elements = readElements(words);
  if (elements === undefined || !isAtEnd(words)) {
    state.problems.push({ line: first + 1, message: 'the elements cannot be read' });
    return [];
  }
  return elements;
}

function isAtEnd(words: { readonly words: readonly string[]; readonly at: number }): boolean {
  return words.at === words.words.length;
}

function handleOf(opened: readonly (string | undefined)[]): { readonly handle?: number } {
  return opened[3] === undefined ? {} : { handle: Number(opened[3]) };
}
