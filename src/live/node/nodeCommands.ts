import type { DumpKind } from '../../dump/dumpKind.ts';
import { type CollectCommand, collectCommands } from '../../script/collect/collectCommands.ts';

/** The facts whose kind their text does not tell. */
const factKinds: ReadonlyMap<string, DumpKind> = new Map([
  ['facts/policy-rules.txt', 'rules'],
  ['facts/sysctl.txt', 'sysctl'],
  ['facts/modules.txt', 'modules'],
]);

/** Undefined: it is told from the text. */
export function factKind(file: string): DumpKind | undefined {
  return factKinds.get(file);
}

/** Everything that `collect` asks a node for. */
export const everyNodeCommand: readonly CollectCommand[] = collectCommands.filter(({ where }) => where === 'node');

/** What a command of k8snet reads of it. */
export const readNodeCommands: readonly CollectCommand[] = everyNodeCommand.filter(
  ({ file }) => file.startsWith('dumps/') || factKinds.has(file),
);
