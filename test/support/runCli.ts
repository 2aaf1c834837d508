import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { builtFile, isBuilt, nodeCommand } from './builtFile.ts';
import type { ThreadAnswer, ThreadRun, ThreadStart } from './cliThread.ts';
import { root } from './compileCase.ts';

/** How a run of the command line ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  /** Where it runs; the project's folder if nothing is said. */
  readonly cwd?: string;
  /** Beside the environment of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A single executable that is tested instead of the bundle. */
export const executable: string | undefined = process.env.K8SNET_EXECUTABLE || undefined;

/** The command line as a process: words before its arguments. */
export const cliCommand: readonly string[] =
  executable === undefined ? [...nodeCommand, builtFile('src/cli/main.ts')] : [resolve(root, executable)];

/**
 * Runs the command line, in a thread that all runs of a test file share: starting a process takes ten times as long as
 * what most of them do. Colours are asked for by `environment` alone.
 */
export function runCli(args: readonly string[], options: RunOptions = {}): Ended {
  // From the sources: the loader of a thread waits for this one.
  if (!isBuilt || executable !== undefined) return runProcess(args, options);
  thread ??= startThread();
  const { port, ended } = thread;
  const here = process.cwd();
  // The folder is that of the whole process, and this thread does nothing meanwhile.
  process.chdir(options.cwd ?? root);
  try {
    const { id: _, ...end } = answerTo(send(port, args, options), port, ended);
    return end;
  } catch (error) {
    throw new Error(`k8snet ${args.join(' ')}: ${(error as Error).message}`);
  } finally {
    process.chdir(here);
  }
}

/**
 * The same, while the caller goes on: for what happens beside a run. In the project's folder; one run at a time, the next waits.
 */
export async function runCliBeside(args: readonly string[], options: Omit<RunOptions, 'cwd'> = {}): Promise<Ended> {
  if (!isBuilt || executable !== undefined)
    throw new Error('what goes on beside a run needs the built tests: npm test -- FILE');
  thread ??= startThread();
  const { port } = thread;
  const answered = beside.then(async () => {
    const answer = new Promise<ThreadAnswer>((resolve) => port.once('message', resolve));
    send(port, args, options);
    const { id: _, ...end } = await answer;
    return end;
  });
  beside = answered.catch(() => {});
  return answered;
}

/** The number by which the answer is known. */
function send(port: MessagePort, args: readonly string[], options: RunOptions): number {
  runs += 1;
  const run: ThreadRun = { id: runs, args, input: options.input ?? '', environment: environmentOf(options) };
  port.postMessage(run);
  return runs;
}

/** The count of ended runs may be seen before the message of the last one; each message says whose it is. */
function answerTo(id: number, port: MessagePort, ended: Int32Array): ThreadAnswer {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    const before = Atomics.load(ended, 0);
    const answer = receiveMessageOnPort(port)?.message as ThreadAnswer | undefined;
    if (answer?.id === id) return answer;
    if (answer === undefined) Atomics.wait(ended, 0, before, 100);
  }
  throw new Error('no end');
}

/** Runs the command line as a process of its own, as users do. */
export function runProcess(args: readonly string[], options: RunOptions = {}): Ended {
  const [node = '', ...words] = cliCommand;
  const { status, stdout, stderr } = spawnSync(node, [...words, ...args], {
    cwd: options.cwd ?? root,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: environmentOf(options),
    input: options.input ?? '',
  });
  return { status, stdout, stderr };
}

function environmentOf({ environment }: RunOptions): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, NO_COLOR: __, GITHUB_ACTIONS: ___, ...inherited } = process.env;
  return { ...inherited, ...environment };
}

/** A loop without end is a bug; a slow machine is none. */
const patience = 120_000;

let runs = 0;
let beside: Promise<unknown> = Promise.resolve();
let thread: { readonly port: MessagePort; readonly ended: Int32Array } | undefined;

function startThread() {
  const { port1, port2 } = new MessageChannel();
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const start: ThreadStart = { file: builtFile('src/cli/run.ts'), port: port2, ended };
  const worker = new Worker(builtFile('test/support/cliThread.ts'), { workerData: start, transferList: [port2] });
  worker.unref();
  return { port: port1, ended };
}
