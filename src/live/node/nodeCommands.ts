import { factFiles } from '../../dump/factFiles.ts';
import { type CollectCommand, collectCommands } from '../../script/collect/collectCommands.ts';

/** Everything that `collect` asks a node for. */
export const everyNodeCommand: readonly CollectCommand[] = collectCommands.filter(({ where }) => where === 'node');

/** What a command of k8snet reads of it: of connections only those over UDP, since the others are many. */
export const readNodeCommands: readonly CollectCommand[] = everyNodeCommand.filter(
  ({ file }) => file.startsWith('dumps/') || (factFiles.has(file) && factFiles.get(file) !== 'conntrack'),
);
