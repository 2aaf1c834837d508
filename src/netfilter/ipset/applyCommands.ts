import type { IpSet, IpsetCommand, IpsetMember, IpsetState } from './ast.ts';
import { canonicalMembers } from './canonicalMember.ts';

/** A command and the line that it stands in, from 1; commands of our own have none. */
export interface PlacedCommand {
  readonly command: IpsetCommand;
  readonly line?: number;
}

interface OpenSet {
  name: string;
  readonly made: Omit<IpSet, 'name' | 'members'>;
  /** By their canonical text. */
  readonly members: Map<string, IpsetMember>;
}

/**
 * What the kernel holds after it carried out the commands, starting from nothing. A command that it would refuse changes
 * nothing and goes to `refuse`.
 */
export function applyCommands(
  commands: Iterable<PlacedCommand>,
  refuse: (placed: PlacedCommand, message: string) => void,
): IpsetState {
  const sets = new Map<string, OpenSet>();
  for (const placed of commands) {
    const message = apply(sets, placed);
    if (message !== undefined) refuse(placed, message);
  }
  return {
    kind: 'ipset',
    sets: [...sets.values()].map(({ name, made, members }) => ({ name, ...made, members: [...members.values()] })),
  };
}

/** The commands that make a state, as `ipset save` prints them. */
export function* commandsOf(state: IpsetState): Iterable<IpsetCommand> {
  for (const { name, type, options, members } of state.sets) {
    yield { kind: 'create', set: name, type, options };
    for (const member of members) yield { kind: 'add', set: name, member: member.member, options: member.options };
  }
}

/** Why the kernel would refuse; undefined: done. */
function apply(sets: Map<string, OpenSet>, { command, line }: PlacedCommand): string | undefined {
  if (command.kind === 'create') {
    const { set, type, options, isExist, isCut } = command;
    if (sets.has(set)) return isExist ? undefined : `there is a set ${set} already`;
    const made = { type, options, ...(isCut && { isCut }), ...(line !== undefined && { line }) };
    sets.set(set, { name: set, made, members: new Map() });
    return undefined;
  }
  if (command.set === undefined) {
    if (command.kind === 'destroy') sets.clear();
    else for (const { members } of sets.values()) members.clear();
    return undefined;
  }
  const set = sets.get(command.set);
  if (set === undefined) return `there is no set ${command.set}`;
  switch (command.kind) {
    case 'add':
      return add(set, command, line);
    case 'del': {
      let isMissing = false;
      for (const key of canonicalMembers(set.made.type, command.member))
        isMissing = !set.members.delete(key) || isMissing;
      return isMissing && !command.isExist ? `${command.member} is not a member of ${command.set}` : undefined;
    }
    case 'flush':
      set.members.clear();
      return undefined;
    case 'destroy':
      sets.delete(command.set);
      return undefined;
    case 'swap':
      return swap(sets, set, command.other);
    case 'rename':
      return rename(sets, set, command.other);
  }
}

function add(
  set: OpenSet,
  { member, options, isExist }: Extract<IpsetCommand, { kind: 'add' | 'del' }>,
  line: number | undefined,
): string | undefined {
  const extension = options.find(({ name }) => name === 'comment' || name === 'packets' || name === 'timeout');
  if (extension !== undefined && !set.made.options.some(({ name }) => name === needs[extension.name])) {
    return `set ${set.name} was made without ${needs[extension.name]}`;
  }
  const placed = { options, ...(line !== undefined && { line }) };
  const keys = canonicalMembers(set.made.type, member);
  const isOne = keys.length === 1;
  for (const key of keys) {
    if (set.members.has(key) && !isExist && isOne) return `${member} is a member of ${set.name} already`;
    set.members.set(key, { member: isOne ? member : key, ...placed });
  }
  return undefined;
}

/** What a set must have been made with for its members to have an option. */
const needs: Readonly<Record<string, string>> = { comment: 'comment', packets: 'counters', timeout: 'timeout' };

/** Everything changes places but the names, and with them the places in the list. */
function swap(sets: Map<string, OpenSet>, one: OpenSet, otherName: string): string | undefined {
  const other = sets.get(otherName);
  if (other === undefined) return `there is no set ${otherName}`;
  if (one.made.type !== other.made.type) return `${one.name} and ${otherName} are not of one type`;
  sets.set(one.name, { ...other, name: one.name });
  sets.set(otherName, { ...one, name: otherName });
  return undefined;
}

function rename(sets: Map<string, OpenSet>, set: OpenSet, name: string): string | undefined {
  if (sets.has(name)) return `there is a set ${name} already`;
  sets.delete(set.name);
  sets.set(name, { ...set, name });
  return undefined;
}
