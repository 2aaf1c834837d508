import type { BaseChain, ForeignBlock, NftChain, NftElement, NftRule, NftRuleset, NftSet, NftTable } from './ast.ts';
import { canonicalNftRule } from './canonical/canonicalNftRule.ts';
import type { NftCommand } from './command.ts';
import { addElements, clearSet, deleteElement, listedSet, newSet, type SetState } from './setState.ts';

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
  readonly counters: Map<string, ForeignBlock>;
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
    case 'counter':
      return applyCounter(table, command);
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
  return { table, sets: new Map(), chains: new Map(), counters: new Map() };
}

function addContent(table: TableState, content: NftTable): string | undefined {
  const problems: (string | undefined)[] = [];
  for (const set of content.sets) {
    problems.push(addSet(table, set, 'add'), addTo(table, set.name, set.elements));
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
  table.sets.set(set.name, newSet(set));
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
  if (state === undefined) return missing;
  clearSet(state);
  return undefined;
}

function applyCounter(
  { counters }: TableState,
  command: Extract<NftCommand, { object: 'counter' }>,
): string | undefined {
  const { verb, name } = command;
  if (verb === 'delete') return counters.delete(name) ? undefined : missing;
  if (counters.has(name)) return verb === 'add' ? undefined : exists;
  counters.set(name, { head: `counter ${name} {`, lines: ['packets 0 bytes 0', '}'] });
  return undefined;
}

function applyElements(table: TableState, command: Extract<NftCommand, { object: 'element' }>): string | undefined {
  if (command.verb !== 'delete') return addTo(table, command.set, command.elements);
  const state = table.sets.get(command.set);
  const isKnown = command.elements.every(({ key }) => state !== undefined && deleteElement(state, key));
  return isKnown ? undefined : missing;
}

function addTo({ sets }: TableState, name: string, elements: readonly NftElement[]): string | undefined {
  const state = sets.get(name);
  if (state === undefined) return missing;
  return addElements(state, elements) ? undefined : exists;
}

function finishTable({ table, sets, chains, counters }: TableState): NftTable {
  return {
    ...table,
    sets: [...sets.values()].map(listedSet),
    chains: [...chains.values()],
    ...(counters.size > 0 && { foreign: [...counters.values()] }),
  };
}
