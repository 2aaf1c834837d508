import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Sources } from '../../../load/sources.ts';
import { type SharedWork, shareWork } from '../../../public/core.ts';
import type { NodeVerdict } from '../../../report/fleet/nodeVerdict.ts';
import { rulesNeeds } from '../../objects/liveNeeds.ts';
import { endedUnread } from '../../write/endUnread.ts';
import { exitCodes } from '../../write/exitCodes.ts';
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
  const answer = async (entry: FleetEntry) => {
    const own = quietMessages();
    try {
      await readGroup(entry, command);
      const { node, verdict } = await judge(entry, own);
      const said = own.diagnostics();
      if (verdict === undefined) return unjudged(entry, node, said);
      const head = nodeHead(entry, node, said);
      return { ...head, ...(await verdict(head)) };
    } catch (error) {
      // A node that cannot be read proves nothing about the others.
      if (!endedUnread(error)) throw error;
      return unjudged(entry, entry.live?.node, own.diagnostics(), exitCodes.unread);
    }
  };
  let before: Promise<unknown> = Promise.resolve();
  return {
    said: messages.diagnostics(),
    sources,
    answer: (entry) => {
      if (entry.live === undefined) return answer(entry);
      // What is known of a cluster is of one moment: its nodes come one after another.
      const verdict = before.then(() => answer(entry));
      before = verdict.catch(() => {});
      return verdict;
    },
  };
}

/** A comparison reads the objects of the cluster with its nodes: they may change meanwhile. */
async function readGroup({ live }: FleetEntry, { name, options }: FleetCommand): Promise<void> {
  if (live === undefined || live.readWith.length === 0) return;
  const needs = name === 'diff' && options.live !== undefined ? rulesNeeds(options) : undefined;
  await options.liveNodes?.readTogether(live.readWith, needs);
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
