import type { NodeVerdict } from '../../../report/fleet/nodeVerdict.ts';
import type { FleetEntry, FleetPath } from '../entries/fleetEntry.ts';
import type { Opened } from '../entries/openedText.ts';
import type { FleetCommand } from '../fleetCommand.ts';
import { judgingWork } from '../threads/fleetWork.ts';
import { enoughWork, threadPool, threadsThatPay } from '../threads/threadPool.ts';
import { openJudge } from './openJudge.ts';

/** Judges nodes, several at once if there are threads. */
export interface JudgePool {
  /** Nodes that are judged at once. */
  readonly size: number;
  /** Messages about what was read for all nodes, formatted; errors end the run. */
  readonly opened: Promise<Opened>;
  readonly answer: (entry: FleetEntry) => Promise<NodeVerdict>;
  readonly close: () => void;
}

/** `paths`: all nodes that the run judges. */
export function judgePool(command: FleetCommand, paths: readonly FleetPath[]): JudgePool {
  const size = threadsFor(command, paths);
  return size < 2 ? ownThread(command) : threads(command, size);
}

function threadsFor({ name, options }: FleetCommand, paths: readonly FleetPath[]): number {
  const baseline = 'baseline' in options ? options.baseline : undefined;
  // Standard input can only be read once, and each thread reads objects for itself.
  const readsInput = options.filename?.includes('-') === true || options.config === '-' || baseline === '-';
  if (readsInput || options.live !== undefined || options.liveNodes !== undefined) return 1;
  return threadsThatPay(options.jobs, judgingWork(name, paths, enoughWork()));
}

function ownThread(command: FleetCommand): JudgePool {
  const judge = openJudge(command);
  return {
    size: 1,
    opened: judge.then(async (own) => (await import('../entries/openedText.ts')).openedText(own, command.options)),
    answer: async (entry) => (await judge).answer(entry),
    close: () => {},
  };
}

function threads(command: FleetCommand, size: number): JudgePool {
  const pool = threadPool<Opened, FleetEntry, NodeVerdict>({ kind: 'judge', command }, size);
  return { size, opened: pool.opened, answer: pool.ask, close: pool.close };
}
