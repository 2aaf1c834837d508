import { factFiles } from '../../dump/factFiles.ts';
import { type CollectCommand, collectCommands } from '../../script/collect/collectCommands.ts';

/** All commands that `collect` runs on a node. */
export const everyNodeCommand: readonly CollectCommand[] = collectCommands.filter(({ where }) => where === 'node');

/** The commands that k8snet's own commands need: of connections only the UDP ones, since the others are many. */
export const readNodeCommands: readonly CollectCommand[] = everyNodeCommand.filter(
  ({ file }) => file.startsWith('dumps/') || (factFiles.has(file) && factFiles.get(file) !== 'conntrack'),
);
