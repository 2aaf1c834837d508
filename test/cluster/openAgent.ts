import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn } from '../../src/lab/runIn.ts';
import { cliCommand } from '../support/runCli.ts';
import type { Cluster, ProxyNode } from './openCluster.ts';

/** An agent as a process in the network of its node, with the files of a Pod's account. */
export interface RunningAgent {
  readonly node: ProxyNode;
  /** The samples of /metrics by name and labels; undefined: nobody answers. */
  readonly metrics: () => Promise<ReadonlyMap<string, number> | undefined>;
  /** The text of any path. */
  readonly get: (path: string) => Promise<string>;
  /** Lines of its log so far, in all of its lives. */
  readonly log: () => readonly LogLine[];
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>;
  readonly start: () => void;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly event?: string;
  readonly finding?: string;
  readonly service?: string;
  readonly why?: string;
}

export function openAgent(
  { plane }: Cluster,
  node: ProxyNode,
  token: string,
  options: readonly string[] = [],
): RunningAgent {
  const tokenFile = join(plane.folder, 'agent.token');
  const logFile = join(plane.folder, `agent-${node.name}.log`);
  writeFileSync(tokenFile, token);
  let child: ChildProcess | undefined;
  const start = () => {
    const own = '/run/secrets/kubernetes.io/serviceaccount';
    const script = `mount -t tmpfs none /run && mkdir -p ${own} && cp "$1" ${own}/token && cp "$2" ${own}/ca.crt && shift 2 && exec "$@"`;
    const file = openSync(logFile, 'a');
    child = spawn(
      'setpriv',
      [
        ...['--pdeathsig', 'KILL', '--', 'nsenter', `--net=/proc/${node.namespace.pid}/ns/net`, '--', 'unshare', '-m'],
        ...['sh', '-ec', script, 'sh', tokenFile, join(plane.folder, 'certs/apiserver.crt')],
        ...[...cliCommand, 'agent', ...options],
      ],
      {
        stdio: ['ignore', file, file],
        env: {
          PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
          HOME: plane.folder,
          NODE_NAME: node.name,
          KUBERNETES_SERVICE_HOST: '192.168.77.1',
          KUBERNETES_SERVICE_PORT: '6443',
        },
      },
    );
    closeSync(file);
  };
  const get = (path: string) => runIn(node.namespace, ['curl', '-sS', '-m', '10', `http://127.0.0.1:9965${path}`]);
  start();
  return {
    node,
    get,
    metrics: async () => {
      try {
        return samplesOf(await get('/metrics'));
      } catch {
        return undefined;
      }
    },
    log: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    kill: async (signal) => {
      const own = child;
      if (own === undefined || own.exitCode !== null || own.signalCode !== null) return null;
      const ended = new Promise<number | null>((resolve) => own.once('exit', resolve));
      own.kill(signal);
      return ended;
    },
    start,
  };
}

function samplesOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const at = line.lastIndexOf(' ');
      return line.startsWith('#') || at === -1 ? [] : [[line.slice(0, at), Number(line.slice(at + 1))] as const];
    }),
  );
}

/** All findings that count on the node. */
export function differencesIn(metrics: ReadonlyMap<string, number>): number {
  return [...metrics].reduce((sum, [name, value]) => sum + (name.startsWith('k8snet_differences{') ? value : 0), 0);
}
