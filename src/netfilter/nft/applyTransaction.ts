import type { BaseChain, NftChain, NftElement, NftKey, NftRule, NftRuleset, NftSet, NftTable } from './ast.ts';
import { canonicalNftRule } from './canonicalNftRule.ts';
import { canonicalKey, canonicalValue } from './canonicalValue.ts';
import type { NftCommand } from './command.ts';
import { keyOrder } from './keyOrder.ts';
import { type LoadedIntervals, loadIntervals, noIntervals, unloadIntervals } from './loadedIntervals.ts';
import { writeVerdict } from './verdict.ts';

/**
 * What the kernel holds after the commands, as nft 1.0.6 lists it: objects in order of creation, rules canonical, set
 * elements sorted and without doubles. What the kernel would refuse is given to `refuse`, with the number of the command
 * (from 0), and left out here.
 */
export function applyTransaction(
  commands: Iterable<NftCommand>,
  refuse: (command: number, message: string) => void = () => {},
): NftRuleset {
  const state: State = new Map();
  for (const { command, number } of inLoadOrder(commands)) {
    const message = apply(state, command);
    if (message !== undefined) {
      refuse(number, message);
    }
  }
  return { kind: 'nftables', tables: [...state.values()].map(finishTable) };
}

interface Numbered {
  readonly command: NftCommand;
  readonly number: number;
}

/**
 * nft 1.0.6 makes one command of `add element` lines for one set that follow each other, and in it the first stays first
 * and the others are turned round. It shows where elements have an order, and where one key is added twice.
 */
function* inLoadOrder(commands: Iterable<NftCommand>): Generator<Numbered> {
  let run: Numbered[] = [];
  let number = 0;
  for (const command of commands) {
    const [first] = run;
    if (first !== undefined && !continuesRun(first.command, command)) {
      yield* turned(run);
      run = [];
    }
    if (isAddedElement(command)) {
      run.push({ command, number });
    } else {
      yield { command, number };
    }
    number += 1;
  }
  yield* turned(run);
}

function isAddedElement(command: NftCommand): boolean {
  return command.object === 'element' && command.verb !== 'delete';
}

function continuesRun(first: NftCommand, command: NftCommand): boolean {
  return (
    first.object === 'element' &&
    command.object === 'element' &&
    first.verb === command.verb &&
    first.set === command.set &&
    first.table === command.table &&
    first.family === command.family
  );
}

function* turned(run: readonly Numbered[]): Generator<Numbered> {
  if (run[0] !== undefined) {
    yield run[0];
  }
  for (let at = run.length - 1; at > 0; at -= 1) {
    yield run[at] as Numbered;
  }
}

type State = Map<string, TableState>;

interface TableState {
  readonly table: NftTable;
  readonly sets: Map<string, SetState>;
  readonly chains: Map<string, ChainState>;
}

interface SetState {
  readonly set: NftSet;
  /** By canonical key. */
  readonly elements: Map<string, NftElement>;
  /** Of a concatenation with intervals. */
  readonly loaded?: LoadedIntervals;
}

/** Filled in place: there are a hundred thousand of them in a big cluster. */
type ChainState = Omit<NftChain, 'rules'> & { readonly rules: NftRule[] };

const missing = 'No such file or directory';
const exists = 'File exists';

/** Does it, or says why the kernel would not. */
function apply(state: State, command: NftCommand): string | undefined {
  const name = `${command.family} ${command.table}`;
  if (command.object === 'table' || command.object === 'block') {
    return applyTable(state, name, command);
  }
  const table = state.get(name);
  if (table === undefined) {
    return missing;
  }
  switch (command.object) {
    case 'chain':
      return applyChain(table, command);
    case 'set':
      return 'set' in command ? addSet(table, command.set, command.verb) : removeSet(table, command);
    case 'element':
      return applyElements(table, command);
    case 'rule': {
      const chain = table.chains.get(command.chain);
      if (chain === undefined) {
        return missing;
      }
      const rule = canonicalNftRule(command.rule, command.family);
      if (command.verb === 'add') {
        chain.rules.push(rule);
      } else {
        chain.rules.unshift(rule);
      }
      return undefined;
    }
  }
}

function applyTable(
  state: State,
  name: string,
  command: Extract<NftCommand, { object: 'table' | 'block' }>,
): string | undefined {
  const table = state.get(name);
  if (command.verb === 'add' || command.verb === 'create') {
    if (table !== undefined && command.verb === 'create') {
      return exists;
    }
    const content = command.object === 'block' ? command.content : undefined;
    const added = table ?? newTable(command.family, command.table, content?.comment ?? commentOf(command));
    state.set(name, added);
    return content === undefined ? undefined : addContent(added, content);
  }
  if (table === undefined) {
    return missing;
  }
  if (command.verb === 'delete') {
    state.delete(name);
  } else {
    for (const chain of table.chains.values()) {
      chain.rules.length = 0;
    }
  }
  return undefined;
}

function commentOf(command: { readonly comment?: string } | { readonly object: 'block' }): string | undefined {
  return 'comment' in command ? command.comment : undefined;
}

function newTable(family: string, name: string, comment: string | undefined): TableState {
  const table: NftTable = { family, name, ...(comment === undefined ? {} : { comment }), sets: [], chains: [] };
  return { table, sets: new Map(), chains: new Map() };
}

function addContent(table: TableState, content: NftTable): string | undefined {
  const problems: (string | undefined)[] = [];
  for (const set of content.sets) {
    problems.push(addSet(table, set, 'add'), addElements(table, set.name, set.elements));
  }
  for (const { rules, ...chain } of content.chains) {
    const added = table.chains.get(chain.name) ?? { ...chain, rules: [] };
    table.chains.set(chain.name, added);
    for (const rule of rules) {
      added.rules.push(canonicalNftRule(rule, content.family));
    }
  }
  return problems.find((message) => message !== undefined);
}

function applyChain(table: TableState, command: Extract<NftCommand, { object: 'chain' }>): string | undefined {
  const { verb, name, base, comment } = command;
  const chain = table.chains.get(name);
  if (verb === 'add' || verb === 'create') {
    if (chain === undefined) {
      table.chains.set(name, newChain(name, base, comment));
    }
    return chain === undefined || verb === 'add' ? undefined : exists;
  }
  if (chain === undefined) {
    return missing;
  }
  if (verb === 'delete') {
    table.chains.delete(name);
  } else {
    chain.rules.length = 0;
  }
  return undefined;
}

function newChain(name: string, base: BaseChain | undefined, comment: string | undefined): ChainState {
  return base === undefined && comment === undefined
    ? { name, rules: [] }
    : { name, ...(base === undefined ? {} : { base }), ...(comment === undefined ? {} : { comment }), rules: [] };
}

function addSet(table: TableState, set: NftSet, verb: 'add' | 'create'): string | undefined {
  if (table.sets.has(set.name)) {
    return verb === 'add' ? undefined : exists;
  }
  const loaded = isOfIntervals(set) ? { loaded: noIntervals() } : {};
  table.sets.set(set.name, { set: listedHeader(set), elements: new Map(), ...loaded });
  return undefined;
}

function removeSet(
  table: TableState,
  { verb, name }: { readonly verb: 'delete' | 'flush'; readonly name: string },
): string | undefined {
  const state = table.sets.get(name);
  if (verb === 'delete') {
    table.sets.delete(name);
  }
  state?.elements.clear();
  state?.loaded?.byPlace.clear();
  state?.loaded?.wide.splice(0);
  return state === undefined ? missing : undefined;
}

/** nft gives a dynamic set a size, and names the flag `timeout` only beside other flags. */
function listedHeader(set: NftSet): NftSet {
  const { elements, ...header } = set;
  const isDynamic = set.flags.includes('dynamic');
  const hasFlags = set.flags.some((flag) => flag !== 'timeout') || set.timeout === undefined;
  return {
    ...header,
    flags: hasFlags ? set.flags : [],
    ...(isDynamic && set.size === undefined ? { size: 65_535 } : {}),
    elements: [],
  };
}

function applyElements(table: TableState, command: Extract<NftCommand, { object: 'element' }>): string | undefined {
  if (command.verb !== 'delete') {
    return addElements(table, command.set, command.elements);
  }
  const state = table.sets.get(command.set);
  const isKnown = command.elements.every(({ key }) => state !== undefined && deleteElement(state, key));
  return isKnown ? undefined : missing;
}

function deleteElement(state: SetState, key: NftKey): boolean {
  const canonical = canonicalKey(state.set.type, key);
  if (state.loaded !== undefined) {
    unloadIntervals(state.loaded, state.set.type, canonical);
  }
  return state.elements.delete(keyText(canonical));
}

function addElements(table: TableState, name: string, elements: readonly NftElement[]): string | undefined {
  const state = table.sets.get(name);
  if (state === undefined) {
    return missing;
  }
  let problem: string | undefined;
  for (const element of elements) {
    const key = canonicalKey(state.set.type, element.key);
    const text = keyText(key);
    const present = state.elements.get(text);
    if (present === undefined) {
      if (state.loaded !== undefined && !loadIntervals(state.loaded, state.set.type, key)) {
        problem = exists;
        continue;
      }
      state.elements.set(text, canonicalElement(element, key, state.set.valueType));
    } else if (verdictText(present) !== verdictText(element)) {
      // The same verdict again is accepted, and the first element with its comment stays.
      problem = exists;
    }
  }
  return problem;
}

function keyText(key: NftKey): string {
  return key.length === 1 ? (key[0] ?? '') : key.join(' . ');
}

function verdictText(element: NftElement): string {
  return element.verdict === undefined ? (element.value?.join(' . ') ?? '') : writeVerdict(element.verdict);
}

function canonicalElement(element: NftElement, key: NftKey, valueTypes: readonly string[] = []): NftElement {
  if (element.value !== undefined) {
    return { ...element, key, value: element.value.map((part, index) => canonicalValue(valueTypes[index], part)) };
  }
  return key === element.key ? element : { ...element, key };
}

function finishTable({ table, sets, chains }: TableState): NftTable {
  return {
    ...table,
    sets: [...sets.values()].map(({ set, elements }) => ({
      ...set,
      elements: sortedElements(set, [...elements.values()]),
    })),
    chains: [...chains.values()],
  };
}

function isOfIntervals(set: NftSet): boolean {
  return set.flags.includes('interval') && set.type.length > 1;
}

/** Concatenations with intervals keep the order they were added in, and so does what cannot be read. */
function sortedElements(set: NftSet, elements: readonly NftElement[]): readonly NftElement[] {
  if (isOfIntervals(set)) {
    return elements;
  }
  const ordered = elements.map((element) => ({ element, order: keyOrder(set.type, element.key) }));
  if (ordered.some(({ order }) => order === undefined)) {
    return elements;
  }
  return ordered.sort((a, b) => compare(a.order ?? '', b.order ?? '')).map(({ element }) => element);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
