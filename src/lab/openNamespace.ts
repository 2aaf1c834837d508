import { type Agents, startAgents } from './agents.ts';
import type { Ran } from './outputOf.ts';

/**
 * An unnamed network namespace. Its agent (agent.pl) keeps it alive and ends when this process does, in whatever way.
 * Nothing of it has a name on the machine and nothing has to be cleaned up.
 */
export interface Namespace {
  readonly name: string;
  /** Process id of the agent; `/proc/PID/ns/net` is the namespace. */
  readonly pid: number;
  /** Gives the agent one request and waits for its answer, both as words. */
  readonly ask: (...words: readonly (string | number)[]) => Promise<readonly string[]>;
  /** Runs a command there, without a shell, and tells how it ended: see `runIn`. */
  readonly run: (command: readonly string[], input: string) => Promise<Ran>;
  readonly close: () => Promise<void>;
}

/** Settings by name, `net.ipv4.ip_forward`: what is not in this kernel is passed over. */
export type Sysctls = Readonly<Record<string, string | number>>;

/** There from the first namespace to the last. */
let agents: Agents | undefined;

/** Makes a namespace with `lo` up and the settings written, before anything else is in it. */
export async function openNamespace(name: string, sysctls: Sysctls = {}): Promise<Namespace> {
  const settings = Object.entries(sysctls).map(([key, value]) => `${key.replaceAll('.', '/')}=${value}`);
  agents ??= startAgents(() => {
    agents = undefined;
  });
  const { pid, ask, run, close } = await agents.open(name, settings);
  return { name, pid, ask: (...words) => ask(words), run, close };
}
