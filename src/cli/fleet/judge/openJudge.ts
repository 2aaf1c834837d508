import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Sources } from '../../../load/sources.ts';
import { type SharedWork, shareWork } from '../../../public/core.ts';
import type { NodeVerdict } from '../../../report/fleet/nodeVerdict.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import type { FleetCommand } from '../fleetCommand.ts';
import { quietMessages } from '../quietMessages.ts';
import type { NodeJudge } from './judgedNode.ts';
import { nodeHead, unjudged } from './nodeHead.ts';

/** Judges one node after another, from what was read once. */
export interface Judge {
  /** Messages about what was read for all nodes. */
  readonly said: readonly Diagnostic[];
  readonly sources: Sources;
  readonly answer: (entry: FleetEntry) => Promise<NodeVerdict>;
}

/** Reads what is needed to judge all nodes. If there are errors among the messages, nothing can be judged. */
export async function openJudge(command: FleetCommand): Promise<Judge> {
  const messages = quietMessages();
  const { judge, sources } = await judgeOf(command, await shareWork(), messages);
  return {
    said: messages.diagnostics(),
    sources,
    answer: async (entry) => {
      const own = quietMessages();
      const { node, verdict } = await judge(entry, own);
      const said = own.diagnostics();
      if (verdict === undefined) return unjudged(entry, node, said);
      const head = nodeHead(entry, node, said);
      return { ...head, ...(await verdict(head)) };
    },
  };
}

/** Only the command's own code is loaded. */
async function judgeOf(command: FleetCommand, shared: SharedWork, messages: Messages): Promise<NodeJudge> {
  switch (command.name) {
    case 'migrate':
      return (await import('./judgeMigrate.ts')).judgeMigrate(command.options, shared, messages);
    case 'reach':
      return (await import('./judgeReach.ts')).judgeReach(command.options, shared, messages);
    default:
      return (await import('./judgeFindings.ts')).judgeFindings(command, shared, messages);
  }
}
