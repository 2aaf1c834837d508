import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type MessagePort, workerData } from 'node:worker_threads';

/**
 * A thread that runs command lines, one after another, each as if in a process of its own: its descriptors 0, 1 and 2 and
 * its environment are those of the run. `runCli` waits for it; see there.
 */

/** What the thread is started with. */
export interface ThreadStart {
  /** The file that has `run` of the command line. */
  readonly file: string;
  readonly port: MessagePort;
  /** Counts the runs that have ended; who waits for one is woken. */
  readonly ended: Int32Array;
}

/** One run. */
export interface ThreadRun {
  readonly id: number;
  readonly args: readonly string[];
  readonly input: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** How a run ended. */
export interface ThreadAnswer {
  readonly id: number;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const { writeSync, readSync, readFileSync, fstatSync } = fs;
const written: Record<1 | 2, Buffer[]> = { 1: [], 2: [] };
const pipe = { isFile: (): boolean => false };
let unread = Buffer.alloc(0);

Object.assign(fs, {
  writeSync: (descriptor: number, bytes: Buffer, offset = 0, ...rest: []) => {
    if (descriptor !== 1 && descriptor !== 2) return writeSync(descriptor, bytes, offset, ...rest);
    written[descriptor].push(Buffer.from(bytes.subarray(offset)));
    return bytes.length - offset;
  },
  readSync: (descriptor: number, bytes: Buffer, ...rest: [number, number, null]) => {
    if (descriptor !== 0) return readSync(descriptor, bytes, ...rest);
    const piece = unread.subarray(0, bytes.length);
    unread = unread.subarray(piece.length);
    return piece.copy(bytes);
  },
  readFileSync: (file: string | number, encoding?: BufferEncoding) => {
    if (file !== 0) return readFileSync(file, encoding);
    const all = unread;
    unread = Buffer.alloc(0);
    return encoding === undefined ? all : all.toString(encoding);
  },
  fstatSync: (descriptor: number) => (descriptor === 0 ? pipe : fstatSync(descriptor)),
});
syncBuiltinESMExports();

const { file, port, ended } = workerData as ThreadStart;
const { run } = (await import(pathToFileURL(file).href)) as typeof import('../../src/cli/run.ts');

port.on('message', async ({ id, args, input, environment }: ThreadRun) => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  unread = Buffer.from(input);
  Object.defineProperty(process, 'stdin', { value: Readable.from([unread]), configurable: true });
  written[1] = [];
  written[2] = [];
  const status = await run(args);
  const [stdout, stderr] = [written[1], written[2]].map((pieces) => Buffer.concat(pieces).toString('utf8'));
  const answer: ThreadAnswer = { id, status, stdout: stdout ?? '', stderr: stderr ?? '' };
  port.postMessage(answer);
  Atomics.add(ended, 0, 1);
  Atomics.notify(ended, 0);
});
