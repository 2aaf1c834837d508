import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { embedded } from '../common/embedded.ts';
import { labEnvironment } from './labEnvironment.ts';
import type { Ran } from './outputOf.ts';

/** An agent (agent.pl) in a network namespace of its own. */
export interface Agent {
  readonly pid: number;
  /** Gives it one request and waits for the answer, both as words; `failed` where it has ended. */
  readonly ask: (words: readonly (string | number)[]) => Promise<readonly string[]>;
  /** Fails where the agent has ended. */
  readonly run: (command: readonly string[], input: string) => Promise<Ran>;
  readonly close: () => Promise<void>;
}

/** The process that agents are forked from. */
export interface Agents {
  readonly open: (name: string, settings: readonly string[]) => Promise<Agent>;
}

/** Starts it; it ends with its last agent, or with this process, and `onEnd` says that it takes no more of them. */
export function startAgents(onEnd: () => void): Agents {
  const parent = spawn('perl', [...agentProgram()], { stdio: ['pipe', 'pipe', 'inherit'], env: labEnvironment() });
  const { ask, ended, problem } = conversation(parent);
  let count = 0;
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    parent.stdin.end();
    onEnd();
  };
  parent.once('exit', end);
  const isGone = () => {
    count -= 1;
    if (count === 0) end();
  };
  return {
    open: async (name, settings) => {
      count += 1;
      const { number, answer } = ask((number) => ['open', number, ...settings]);
      const end = ended(number).then(isGone);
      const close = async () => {
        if (parent.stdin.writable) parent.stdin.write(`close ${number}\n`);
        await end;
      };
      const [outcome, ...words] = (await answer).words;
      if (outcome !== 'ok') {
        await close();
        throw problem() ?? new Error(`the agent of namespace ${name}: ${words.join(' ')}`);
      }
      const request = (words: readonly (string | number)[]) => {
        return ask((id) => ['to', number, id, ...words], number).answer;
      };
      return {
        pid: Number(words[0]),
        ask: async (words) => (await request(words)).words,
        run: async (command, input) => {
          const { words, out, err } = await request(['run', digits(command.join('\0')), digits(input)]);
          if (words[0] !== 'ran') throw new Error(`${command.join(' ')} in ${name}: ${words.slice(1).join(' ')}`);
          return { status: Number(words[1]), stdout: text(out), stderr: text(err) };
        },
        close,
      };
    },
  };
}

/** For perl: the file, or the program itself where there is none. Its standard input is for requests. */
function agentProgram(): readonly string[] {
  const text = embedded('agent.pl');
  return text === undefined ? [join(import.meta.dirname, 'agent.pl')] : ['-e', text];
}

/** The last words to a request, and the hexadecimal digits of what a command has said before. */
interface Answer {
  readonly words: readonly string[];
  readonly out: string;
  readonly err: string;
}

/** A request without an answer yet; `agent` is the number of the agent that was asked. */
interface Waiting {
  readonly agent: number;
  readonly out: string[];
  readonly err: string[];
  readonly resolve: (answer: Answer) => void;
}

/** Requests and answers find each other by a running number; that of the request to open an agent is its own. */
function conversation(parent: ChildProcessByStdio<Writable, Readable, null>) {
  const waiting = new Map<number, Waiting>();
  const ends = new Map<number, () => void>();
  let asked = 0;
  let problem: Error | undefined;
  const settle = (id: number, words: readonly string[]) => {
    const one = waiting.get(id);
    waiting.delete(id);
    one?.resolve({ words, out: one.out.join(''), err: one.err.join('') });
  };
  const agentEnded = (number: number) => {
    for (const [id, { agent }] of waiting) if (agent === number) settle(id, ['failed', 'the agent has ended']);
    ends.get(number)?.();
    ends.delete(number);
  };
  const allEnded = () => {
    for (const number of [...ends.keys()]) agentEnded(number);
  };
  parent.stdin.on('error', () => {});
  parent.once('error', (error) => {
    problem = error;
    allEnded();
  });
  // Closed, and not only ended: what agents have said last is still read.
  parent.once('close', allEnded);
  createInterface({ input: parent.stdout }).on('line', (line) => {
    const [id = '', ...words] = line.split(' ');
    const [verb, said = ''] = words;
    const number = Number(id);
    if (verb === 'out' || verb === 'err') waiting.get(number)?.[verb].push(said);
    else if (verb === 'ended') agentEnded(number);
    else settle(number, words);
  });
  return {
    problem: () => problem,
    /** Resolves once the agent of this number has ended. */
    ended: (number: number) => new Promise<void>((resolve) => ends.set(number, resolve)),
    ask: (wordsOf: (id: number) => readonly (string | number)[], agent?: number) => {
      asked += 1;
      const number = asked;
      const answer = new Promise<Answer>((resolve) => {
        if (agent !== undefined && !ends.has(agent)) {
          resolve({ words: ['failed', 'the agent has ended'], out: '', err: '' });
          return;
        }
        waiting.set(number, { agent: agent ?? number, out: [], err: [], resolve });
        parent.stdin.write(`${wordsOf(number).join(' ')}\n`);
      });
      return { number, answer };
    },
  };
}

function digits(text: string): string {
  return text === '' ? '-' : Buffer.from(text).toString('hex');
}

function text(digits: string): string {
  return Buffer.from(digits, 'hex').toString('utf8');
}
