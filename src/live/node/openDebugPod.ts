import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { type ProgramEnd, runProgram } from '../kubectl/runProgram.ts';
import { kubectlWords, type LiveOptions } from '../liveOptions.ts';
import type { NodeAccess } from './nodeAccess.ts';

/**
 * Makes a Pod on a node that runs the node's own programs in the node's network, and sees the node's files read-only.
 * It is removed when the node has been read, when k8snet is interrupted, and, if everything fails, automatically after
 * some minutes. Undefined: it cannot be made or does not start, which was reported.
 */
export async function openDebugPod(
  node: string,
  image: string,
  options: LiveOptions,
  report: Report,
): Promise<NodeAccess | undefined> {
  const { requestTimeout: _, ...unlimited } = options;
  const kubectl = kubectlWords(unlimited);
  const name = `k8snet-${randomBytes(5).toString('hex')}`;
  const remove = [...kubectl, 'delete', 'pod', name, `--namespace=${namespace}`, ...removal];
  removeAtEnd(name, remove);
  const made = await runProgram([...kubectl, 'create', '-f', '-'], {
    input: JSON.stringify(debugPod(name, node, image)),
    timeout: patience,
    mayAsk: false,
  });
  if (made.status !== 0) {
    removals.delete(name);
    report(notMade(node, made));
    return undefined;
  }
  const close = async () => {
    await runProgram(remove, { timeout: patience });
    removals.delete(name);
  };
  const ready = ['wait', `pod/${name}`, `--namespace=${namespace}`, '--for=condition=Ready', '--timeout=60s'];
  const started = await runProgram([...kubectl, ...ready], { timeout: patience + 60_000 });
  if (started.status !== 0) {
    await close();
    const message = `node ${node} cannot be read: Pod ${namespace}/${name} of image ${image} does not start there: ${lastLine(started)}`;
    report({ code: 'node-unread', severity: 'error', message, at: [], hint: '--via debug:IMAGE names another image' });
    return undefined;
  }
  const exec = ['exec', '-i', `--namespace=${namespace}`, name, '--container=debugger', '--'];
  return {
    name: `Pod ${namespace}/${name}`,
    shell: [...kubectl, ...exec, 'chroot', '/host', 'sh', '-s'],
    hint: 'it runs the node’s own programs: a node without iptables and nft is read with --via pod',
    close,
  };
}

/** Pods in other namespaces may not use the node's network. */
const namespace = 'kube-system';
const removal = ['--ignore-not-found', '--wait=false', '--grace-period=0', '--force'];
const patience = 30_000;
/** Seconds after which the kubelet ends it. */
const longestLife = 300;

/**
 * Of root's capabilities, only those that reading rules needs: NET_ADMIN, apart from chroot and raw sockets, which Pods
 * have.
 */
function debugPod(name: string, node: string, image: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/name': 'k8snet' } },
    spec: {
      nodeName: node,
      hostNetwork: true,
      restartPolicy: 'Never',
      activeDeadlineSeconds: longestLife,
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'debugger',
          image,
          command: ['sleep', String(longestLife)],
          securityContext: { runAsUser: 0, allowPrivilegeEscalation: false, capabilities: { add: ['NET_ADMIN'] } },
          volumeMounts: [{ name: 'host', mountPath: '/host', readOnly: true }],
        },
      ],
      volumes: [{ name: 'host', hostPath: { path: '/' } }],
    },
  };
}

function notMade(node: string, end: ProgramEnd): Diagnostic {
  const forbidden = /\(Forbidden\): (.*)/.exec(end.said)?.[1];
  if (forbidden !== undefined) {
    return {
      code: 'not-allowed',
      severity: 'error',
      message: `node ${node}: the account may not make a Pod in ${namespace} (${forbidden})`,
      at: [],
      hint: 'a role with these rules grants it: {apiGroups: [""], resources: [pods], verbs: [create, get, list, watch, delete]} and {apiGroups: [""], resources: [pods/exec], verbs: [create, get]}',
    };
  }
  return {
    code: 'node-unread',
    severity: 'error',
    message: `node ${node} cannot be read: no Pod can be made on it: ${lastLine(end)}`,
    at: [],
    hint: '--via pod, --via local and --via ssh reach a node in another way',
  };
}

function lastLine({ kind, said }: ProgramEnd): string {
  if (kind === 'tooSlow') return 'no answer in time';
  return said.trim().split('\n').at(-1)?.trim() || 'kubectl did not say why';
}

/** The existing Pods, and the commands that remove them. */
const removals = new Map<string, readonly string[]>();

let isWatched = false;

function removeAtEnd(name: string, words: readonly string[]): void {
  removals.set(name, words);
  if (isWatched) return;
  isWatched = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted);
}

/** The exit code by which a shell reports a signal. */
const signalStatus = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

function interrupted(signal: NodeJS.Signals): never {
  for (const [program = '', ...words] of removals.values())
    spawnSync(program, words, { stdio: 'ignore', timeout: patience });
  process.exit(signalStatus[signal as keyof typeof signalStatus]);
}
