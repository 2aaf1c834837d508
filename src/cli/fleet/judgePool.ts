import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isExecutable } from '../../common/embedded.ts';
import type { NodeAnswer } from '../../report/fleet/fleetReport.ts';
import type { FleetCommand } from './fleetCommand.ts';
import type { FleetEntry } from './fleetEntry.ts';
import { openJudge } from './openJudge.ts';

/** Judges nodes, several at once where there are threads. */
export interface JudgePool {
  /** Nodes that are judged at once. */
  readonly size: number;
  /** What there is to say about what was read for all nodes, as it is printed; errors end the run. */
  readonly opened: Promise<Opened>;
  readonly answer: (entry: FleetEntry) => Promise<NodeAnswer>;
  readonly close: () => void;
}

export interface Opened {
  readonly said: string;
  readonly hasErrors: boolean;
}

/** What a thread is told and tells. */
export type ThreadQuestion = { readonly entry: FleetEntry };
export type ThreadReply =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'answer'; readonly answer: NodeAnswer }
  | { readonly kind: 'failed'; readonly at: number; readonly trace: string };

const program = join(import.meta.dirname, 'main.cjs');

/** `nodes`: how many there are, as far as that is known. */
export function judgePool(command: FleetCommand, nodes: number | undefined): JudgePool {
  const size = threadsFor(command, nodes);
  return size < 2 ? ownThread(command) : threads(command, size);
}

function threadsFor({ options }: FleetCommand, nodes = Number.POSITIVE_INFINITY): number {
  // Standard input can be read once, and each thread reads objects for itself.
  const readsInput = options.filename?.includes('-') === true || options.config === '-' || options.baseline === '-';
  if (isExecutable || !existsSync(program) || readsInput || options.live !== undefined) return 1;
  const byMemory = Math.max(1, Math.floor(totalmem() / 2 / memoryOfThread));
  return Math.min(options.jobs ?? availableParallelism(), Math.ceil(nodes / leastNodes), byMemory);
}

/** A thread reads the objects first, which takes as long as some nodes. */
const leastNodes = 3;
const memoryOfThread = 400 << 20;

function ownThread(command: FleetCommand): JudgePool {
  const judge = openJudge(command);
  return {
    size: 1,
    opened: judge.then(async (own) => (await import('./openedText.ts')).openedText(own, command.options)),
    answer: async (entry) => (await judge).answer(entry),
    close: () => {},
  };
}

function threads(command: FleetCommand, size: number): JudgePool {
  const idle: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  const asked = new Map<
    number,
    { readonly resolve: (answer: NodeAnswer) => void; readonly reject: (error: Error) => void }
  >();
  let open: (opened: Opened) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const opened = new Promise<Opened>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  const release = (worker: Worker) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(worker);
    else next(worker);
  };
  const ended = (error: Error) => {
    fail(error);
    for (const { reject } of asked.values()) reject(error);
  };
  const all = Array.from({ length: size }, () => {
    const worker = new Worker(program, {
      argv: [threadWord],
      execArgv: [],
      workerData: command,
      // What one node leaves behind is gone before the next: with little room for it, the engine tidies up all the time.
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    worker.on('message', (reply: ThreadReply) => {
      if (reply.kind === 'opened') open(reply.opened);
      else if (reply.kind === 'answer') asked.get(reply.answer.at)?.resolve(reply.answer);
      else asked.get(reply.at)?.reject(new Error(reply.trace));
      release(worker);
    });
    worker.on('error', ended);
    worker.on('exit', (code) => ended(new Error(`a thread ended with ${code} before it answered`)));
    return worker;
  });
  return {
    size,
    opened,
    answer: async (entry) => {
      const worker = idle.shift() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)));
      return new Promise<NodeAnswer>((resolve, reject) => {
        asked.set(entry.at, { resolve, reject });
        worker.postMessage({ entry } satisfies ThreadQuestion);
      }).finally(() => asked.delete(entry.at));
    },
    close: () => {
      for (const worker of all) {
        worker.removeAllListeners();
        void worker.terminate();
      }
    },
  };
}

/** What tells the program that it is a thread of another run. */
export const threadWord = '__judge';
const youngMegabytes = 48;
