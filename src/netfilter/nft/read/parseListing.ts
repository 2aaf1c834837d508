import { isTyped } from '../../isTyped.ts';
import type { LineProblem } from '../../lineProblem.ts';
import type { ForeignBlock, NftChain, NftRule, NftRuleset, NftSet, NftTable } from '../ast.ts';
import { readBaseChain } from '../baseChain.ts';
import { writeRule } from '../write/writeRule.ts';
import { impliedTable } from './impliedTable.ts';
import {
  blockLine,
  endsBlock,
  handleOf,
  isLeftOpen,
  opensBoundChain,
  problem,
  type State,
  tableLine,
  trimmed,
  warningLine,
} from './listingState.ts';
import { readSet } from './readListedSet.ts';
import { readRule } from './readRule.ts';
import { takeWord, tokenize } from './tokenizer.ts';
import { usualRule } from './usualRule.ts';

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
  let piece: Piece | undefined;
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
      if (piece === undefined || state.at > piece.end) piece = pieceOf(state);
      state.at -= 1;
      tables.push(readTable(state, ['', ...piece.table.split(' ')], false, true));
    } else if (!isProse(line)) {
      problem(state, `not a table: ${line}`);
    }
  }
  return { ruleset: { kind: 'nftables', tables: joined(tables) }, problems: state.problems };
}

/** Lines without the table that they are of, to where the next one begins. */
interface Piece {
  readonly table: string;
  readonly end: number;
}

function pieceOf({ lines, at }: State): Piece {
  const next = lines.findIndex((line, index) => index > at && tableLine.test(line.trim()));
  const end = next === -1 ? lines.length : next;
  return { table: impliedTable(lines.slice(at, end).join('\n')), end };
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
  let hasGaps = false;
  const problemsBefore = state.problems.length;
  let open: readonly NftChain[] | undefined;
  for (state.at += 1; state.at < state.lines.length; state.at += 1) {
    const line = trimmed(state);
    if (line === '}') {
      break;
    }
    // A table in a table: lines between are missing.
    if (tableLine.test(line) && (isImplied || hasGaps)) {
      state.at -= 1;
      break;
    }
    const block = blockLine.exec(line);
    if (block?.[1] === 'chain') {
      const named = () => {
        bound += 1;
        return `__chain${bound}`;
      };
      const read = readChain(state, block, family, named);
      const isOpen = isLeftOpen(state);
      hasGaps ||= isOpen;
      if (!isOpen) for (const chain of read) chains.push(chain);
      else open ??= read;
    } else if (block !== null) {
      const set = readSet(state, block);
      const isOpen = isLeftOpen(state);
      hasGaps ||= isOpen;
      if (!isOpen) sets.push(set);
    } else if (line.endsWith('{') || / \{ # handle \d+$/.test(line)) {
      foreign.push(readForeign(state, line));
    } else if (line !== '') {
      properties = readTableProperty(state, line, properties);
    }
  }
  // All of a piece may be one chain without its end.
  if (chains.length + sets.length === 0) for (const chain of open ?? []) chains.push(chain);
  return {
    family,
    name: opened[2] ?? '',
    ...properties,
    ...handleOf(opened),
    ...(isManagedByIptables ? { isManagedByIptables } : {}),
    ...cutOf(state, isImplied, hasGaps, state.problems.length > problemsBefore),
    sets,
    chains,
    ...(foreign.length === 0 ? {} : { foreign }),
  };
}

function cutOf(
  state: State,
  isImplied: boolean,
  hasGaps: boolean,
  hasUnreadLines: boolean,
): Pick<NftTable, 'cut' | 'isUnfinished' | 'hasUnreadLines'> {
  if (isImplied) return { cut: 'its own line is missing' };
  if (state.at >= state.lines.length) return { cut: 'its last brace is missing', isUnfinished: true };
  if (hasGaps) return { cut: 'lines of it are missing' };
  return hasUnreadLines ? { cut: 'lines of it could not be read', hasUnreadLines } : {};
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
  for (state.at += 1; state.at < state.lines.length && !endsBlock(trimmed(state)); state.at += 1) {
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
    } else if (opensBoundChain(line)) {
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
      opensBoundChain(line) ? readBoundChain(state, bound, named) : readListedRule(line.replace(/^\t+/, '\t\t')),
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

const boundEnd = /^\}(?: comment ".*")?(?: # handle \d+)?$/;

const isBase = /^\s*type \S+ hook /;
const isComment = /^\s*comment "/;

/** Keeps the text where ours would be another. */
function readListedRule(line: string): NftRule {
  const text = line.replace(/^\t\t?/, '');
  const usual = usualRule(text);
  if (usual !== undefined) return usual;
  const rule = readRule(text, true);
  return writeRule(rule, 'listing') === text ? rule : { ...rule, written: text };
}
