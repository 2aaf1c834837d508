import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isExecutable } from '../../common/embedded.ts';
import { isLarge } from './isLarge.ts';
import { judge } from './judge.ts';
import type { Judgement, JudgeRequest } from './judgement.ts';
import { releaseMemory } from './releaseMemory.ts';

/** Performs comparisons, one request after another. */
export interface Judge {
  readonly ask: (request: JudgeRequest) => Promise<Judgement>;
  /** The same for one of several portions of a large node: the thread stays, and `rest` ends it. */
  readonly askPortion: (request: JudgeRequest) => Promise<Judgement>;
  readonly rest: () => Promise<void>;
  /** The same for a small part of a node, in this thread: it takes some milliseconds, and starting another one more. */
  readonly askPart: (request: JudgeRequest) => Promise<Judgement>;
  readonly close: () => Promise<void>;
}

/**
 * Compares in a thread; when run from sources and in an executable, which have no file for one, in this thread. A
 * thread that has compared a large node is ended afterwards, which frees its memory.
 */
export function openJudge(program = ownProgram, limit = longest): Judge {
  if (isExecutable || !existsSync(program))
    return { ask: askHere, askPortion: askPortionHere, askPart: askHere, rest: async () => {}, close: async () => {} };
  let thread: Worker | undefined;
  const close = async () => {
    const own = thread;
    thread = undefined;
    await own?.terminate();
  };
  const askPortion = async (request: JudgeRequest) => {
    thread ??= new Worker(program, {
      argv: ['__judgeOwn'],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
    const judgement = await answerOf(thread, request, limit);
    if (judgement.kind === 'undecided') await close();
    return judgement;
  };
  const ask = async (request: JudgeRequest) => {
    const judgement = await askPortion(request);
    if (isLarge(request.files)) await close();
    return judgement;
  };
  return { ask, askPortion, askPart: askHere, rest: close, close };
}

/** This program, with a word that makes it run as the thread. */
const ownProgram = join(import.meta.dirname, 'main.cjs');

/** Megabytes, more than any comparison needed so far; without a limit the node's other programs would suffer. */
const mostMemory = 1024;
/** Milliseconds. */
const longest = 120_000;
function askHere(request: JudgeRequest): Promise<Judgement> {
  return judge(request).catch((problem: Error) => ({ kind: 'undecided', why: failed(problem.message) }));
}

async function askPortionHere(request: JudgeRequest): Promise<Judgement> {
  const judgement = await askHere(request);
  releaseMemory();
  return judgement;
}

function answerOf(thread: Worker, request: JudgeRequest, limit: number): Promise<Judgement> {
  return new Promise((resolve) => {
    const settle = (judgement: Judgement) => {
      clearTimeout(timer);
      thread.off('message', settle);
      thread.off('error', onError);
      thread.off('exit', onExit);
      // An error of a thread that nobody waits for any more must not end the agent.
      thread.on('error', ignore);
      resolve(judgement);
    };
    const fail = (message: string) => settle({ kind: 'undecided', why: failed(message) });
    const onError = ({ message }: Error) => fail(message);
    const onExit = () => fail('its thread ended');
    const timer = setTimeout(() => fail(`no answer within ${limit / 1000} s`), limit);
    thread.off('error', ignore);
    thread.on('message', settle);
    thread.on('error', onError);
    thread.on('exit', onExit);
    thread.postMessage(request);
  });
}

function ignore(): void {}

function failed(message: string): string {
  return `the comparison failed: ${message}`;
}
