import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { embedded } from '../common/embedded.ts';

/**
 * An unnamed network namespace. Its agent (agent.pl) keeps it alive and ends when this process does, in whatever way:
 * then its standard input closes. Nothing of it has a name on the machine and nothing has to be cleaned up.
 */
export interface Namespace {
  readonly name: string;
  /** Process id of the agent; `/proc/PID/ns/net` is the namespace. */
  readonly pid: number;
  /** Gives the agent one request and waits for its answer, both as words. */
  readonly ask: (...words: readonly (string | number)[]) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Settings by name, `net.ipv4.ip_forward`: what is not in this kernel is passed over. */
export type Sysctls = Readonly<Record<string, string | number>>;

/** Makes a namespace with `lo` up and the settings written, before anything else is in it. */
export async function openNamespace(name: string, sysctls: Sysctls = {}): Promise<Namespace> {
  const settings = Object.entries(sysctls).map(([key, value]) => `${key.replaceAll('.', '/')}=${value}`);
  // unshare becomes the agent, so that its process id is known at once.
  const agent = spawn('unshare', ['--net', '--', 'perl', ...agentProgram(), ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ask = await conversation(name, agent);
  if (agent.pid === undefined) throw new Error(`no process for namespace ${name}`);
  return {
    name,
    pid: agent.pid,
    ask,
    close: async () => {
      if (agent.exitCode !== null || agent.signalCode !== null) return;
      const ended = new Promise((resolve) => agent.once('exit', resolve));
      agent.stdin.end();
      await ended;
    },
  };
}

/** For perl: the file, or the program itself where there is none. Its standard input is for requests. */
function agentProgram(): readonly string[] {
  const text = embedded('agent.pl');
  return text === undefined ? [join(import.meta.dirname, 'agent.pl')] : ['-e', text, '--'];
}

type Agent = ChildProcessByStdio<Writable, Readable, null>;

/** Waits until the agent is ready; then requests and answers find each other by a running number. */
function conversation(name: string, agent: Agent): Promise<Namespace['ask']> {
  const open = new Map<string, (words: readonly string[]) => void>();
  let asked = 0;
  const ask = (...words: readonly (string | number)[]) =>
    new Promise<readonly string[]>((resolve) => {
      if (agent.exitCode !== null || agent.signalCode !== null) {
        resolve(['failed', `the agent of namespace ${name} has ended`]);
        return;
      }
      asked += 1;
      open.set(String(asked), resolve);
      agent.stdin.write(`${asked} ${words.join(' ')}\n`);
    });
  return new Promise((resolve, reject) => {
    agent.once('error', reject);
    agent.stdin.on('error', () => {});
    agent.once('exit', (status) => {
      reject(new Error(`the agent of namespace ${name} did not start (status ${status})`));
      for (const answer of open.values()) answer(['failed', `the agent of namespace ${name} has ended`]);
    });
    createInterface({ input: agent.stdout }).on('line', (line) => {
      const [id = '', ...words] = line.split(' ');
      if (id === 'ready') resolve(ask);
      open.get(id)?.(words);
      open.delete(id);
    });
  });
}
