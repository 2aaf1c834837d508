import { spawn } from 'node:child_process';
import { longestInput } from '../../load/files/longestInput.ts';

/** How a program ended, and its output until then. */
export interface ProgramEnd {
  readonly kind: 'ended' | 'notFound' | 'tooSlow' | 'tooMuch';
  /** Undefined: a signal ended it. */
  readonly status?: number;
  readonly output: Buffer;
  /** Its standard error, shortened. */
  readonly said: string;
}

/** Text for its standard input, and its time limit (milliseconds; undefined: none). */
export interface ProgramOptions {
  readonly input?: string;
  readonly timeout?: number | undefined;
  /** It may ask the user: `kubectl` may have a sign-in plugin that wants a password. */
  readonly mayAsk?: boolean;
  /** Receives its output as it comes; `output` is then empty. */
  readonly take?: (piece: Buffer) => void;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** Runs a program without a shell. Nothing is thrown: every way of ending is an answer. */
export function runProgram(words: readonly string[], options: ProgramOptions = {}): Promise<ProgramEnd> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    const asks = options.mayAsk === true && process.stdin.isTTY === true;
    const child = spawn(program, args, { stdio: [asks ? 'inherit' : 'pipe', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    let length = 0;
    let said = '';
    let cut: 'tooSlow' | 'tooMuch' | undefined;
    const end = (why: typeof cut) => {
      cut ??= why;
      child.kill('SIGKILL');
    };
    const timer = options.timeout === undefined ? undefined : setTimeout(() => end('tooSlow'), options.timeout);
    // Its own child processes may continue and keep its output open.
    const stop = () => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener('abort', stop);
    const settle = (kind: ProgramEnd['kind'], status?: number | null) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
      resolve({ kind, output: Buffer.concat(output), said, ...(typeof status === 'number' && { status }) });
    };
    child.on('error', ({ message }) => {
      said ||= message;
      settle('notFound');
    });
    child.on('close', (status) => settle(cut ?? 'ended', status));
    child.stdout?.on('data', (piece: Buffer) => {
      if (options.take !== undefined) {
        options.take(piece);
        return;
      }
      output.push(piece);
      length += piece.length;
      if (length > longestInput) end('tooMuch');
    });
    child.stderr?.on('data', (piece: Buffer) => {
      if (said.length < longestSaid) said += piece.toString();
    });
    // It may end without reading its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

const longestSaid = 1 << 14;
