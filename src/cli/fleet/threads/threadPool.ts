import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isExecutable } from '../../../common/embedded.ts';
import type { FleetWork } from './fleetWork.ts';
import type { ThreadReply, ThreadTask } from './threadTask.ts';

/** Threads of this program that do one task for many nodes, each for one node at a time. */
export interface ThreadPool<Opened, Question, Answer> {
  /** The first message of the first thread that is ready. */
  readonly opened: Promise<Opened>;
  readonly ask: (question: Question) => Promise<Answer>;
  readonly close: () => void;
}

const program = join(import.meta.dirname, 'main.cjs');

/** How many threads pay, or as many as are asked for, if there are as many nodes; 1: none in addition to the current one. */
export function threadsThatPay(asked: number | undefined, { nodes, bytes }: FleetWork): number {
  if (isExecutable || !existsSync(program)) return 1;
  const byMemory = Math.floor(totalmem() / 2 / memoryOfThread);
  const wanted = asked ?? Math.min(availableParallelism(), Math.floor(bytes / bytesOfThread));
  return Math.max(1, Math.min(wanted, nodes ?? wanted, byMemory));
}

/** For this many there is something to do, however many processors there are. */
export function enoughWork(): number {
  return availableParallelism() * bytesOfThread;
}

/**
 * A thread reads the objects for itself, and the engine compiles all code once more for it: that takes as long as this
 * many bytes of dumps. Measured on two processors: with less than twice as many, one thread ends before two.
 */
const bytesOfThread = 32 << 20;
const memoryOfThread = 400 << 20;

/** Starts threads; a request waits until one of them is free. */
export function threadPool<Opened, Question extends At, Answer extends At>(
  task: ThreadTask,
  size: number,
): ThreadPool<Opened, Question, Answer> {
  const idle: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  const asked = new Map<number, Waiting<Answer>>();
  let open: (opened: Opened) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const opened = new Promise<Opened>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  const ended = (error: Error) => {
    fail(error);
    for (const { reject } of asked.values()) reject(error);
  };
  const all = Array.from({ length: size }, () => {
    const worker = startThread(task);
    worker.on('message', (reply: ThreadReply<Opened, Answer>) => {
      if (reply.kind === 'opened') open(reply.opened);
      else if (reply.kind === 'answer') asked.get(reply.answer.at)?.resolve(reply.answer);
      else asked.get(reply.at)?.reject(new Error(reply.trace));
      const next = waiting.shift();
      if (next === undefined) idle.push(worker);
      else next(worker);
    });
    worker.on('error', ended);
    worker.on('exit', (code) => ended(new Error(`a thread ended with ${code} before it answered`)));
    return worker;
  });
  return {
    opened,
    ask: async (question) => {
      const worker = idle.shift() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)));
      return new Promise<Answer>((resolve, reject) => {
        asked.set(question.at, { resolve, reject });
        worker.postMessage(question);
      }).finally(() => asked.delete(question.at));
    },
    close: () => {
      for (const worker of all) {
        worker.removeAllListeners();
        void worker.terminate();
      }
    },
  };
}

interface At {
  readonly at: number;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

function startThread(task: ThreadTask): Worker {
  return new Worker(program, {
    argv: ['__judge'],
    execArgv: [],
    workerData: task,
    // What one node leaves behind is freed before the next: with little room, the engine would collect garbage all the
    // time.
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
  });
}

const youngMegabytes = 48;
