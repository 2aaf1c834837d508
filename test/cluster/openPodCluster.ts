import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from '../../src/lab/outputOf.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { type Cluster, openCluster, type ProxyNode } from './openCluster.ts';
import { controlPlane, kubectlProgram } from './programs.ts';
import { type Kubelet, startKubelet } from './startKubelet.ts';
import { until } from './until.ts';

/** A cluster on whose nodes real Pods run. */
export interface PodCluster extends Cluster {
  readonly kubelets: readonly Kubelet[];
  /** The real kubectl, as administrator; fails with what it said. */
  readonly kubectl: (words: readonly string[], input?: string) => Promise<string>;
  readonly tryKubectl: (words: readonly string[], input?: string) => Promise<Ran>;
  /** Waits until an object fulfils a condition of `kubectl wait` or a rollout has come to its end. */
  readonly settled: (words: readonly string[]) => Promise<void>;
}

export interface PodClusterOptions {
  /** OCI archives that the nodes have from the beginning. */
  readonly images?: readonly string[];
  /** Writes who asked the API server for what to the file `audit.log`. */
  readonly isAudited?: boolean;
}

const controllers = [
  'node-lifecycle-controller',
  'endpointslice-controller',
  'daemonset-controller',
  'deployment-controller',
  'replicaset-controller',
  'job-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
  'namespace-controller',
  'garbage-collector-controller',
];

/** Two or more nodes with a kube-proxy and a kubelet each, controllers and the scheduler. Pods reach Pods of other nodes. */
export async function openPodCluster(
  proxies: readonly Pick<ProxyNode, 'version' | 'mode'>[],
  { images = [], isAudited = false }: PodClusterOptions = {},
): Promise<PodCluster> {
  const cluster = await openCluster(proxies, { controllers, isAudited });
  const { plane, nodes, api } = cluster;
  const kubeconfig = `${plane.folder}/kubeconfig`;
  plane.start(plane.server, 'scheduler', [
    controlPlane,
    'kube-scheduler',
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
  ]);
  const kubelets = nodes.map((node, at) => startKubelet(plane, node, at + 1, images));
  const close = async () => {
    await Promise.all(kubelets.map((kubelet) => kubelet.close()));
    await cluster.close();
  };
  const command = (words: readonly string[]) => [kubectlProgram, `--kubeconfig=${kubeconfig}`, ...words];
  const kubectl = (words: readonly string[], input?: string) => runIn(plane.server, command(words), input);
  const tryKubectl = (words: readonly string[], input?: string) => tryIn(plane.server, command(words), input);
  const settled = async (words: readonly string[]) => {
    const { status, stderr } = await tryKubectl([...words, '--timeout=120s']);
    if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}\n${await stateOf({ kubectl })}`);
  };
  try {
    await Promise.all(nodes.map((node, at) => routePods(cluster, node, at + 1)));
    await Promise.all([
      ...nodes.map(({ name }) =>
        until(
          () => `node ${name} is ready:\n${kubelets.map(({ log }) => log().slice(-2000)).join('\n')}`,
          120_000,
          async () => isReady(await api.get(`/api/v1/nodes/${name}`)),
        ),
      ),
      until(
        'accounts are made',
        60_000,
        async () => (await api.tryGet('/api/v1/namespaces/default/serviceaccounts/default')) !== undefined,
      ),
    ]);
  } catch (problem) {
    await close();
    throw problem;
  }
  const programs = realKubectl(plane);
  return { ...cluster, plane: { ...plane, programs }, kubelets, kubectl, tryKubectl, settled, close };
}

/** A folder with kubectl as it is, in the network of the API server: here are kubelets, and `exec` enters Pods. */
function realKubectl({ folder, server }: Cluster['plane']): string {
  const programs = join(folder, 'real-programs');
  mkdirSync(programs);
  const script = `#!/bin/sh\nexec nsenter --net=/proc/${server.pid}/ns/net -- ${kubectlProgram} "$@"\n`;
  writeFileSync(join(programs, 'kubectl'), script, { mode: 0o755 });
  return programs;
}

/** What a failure is explained by. */
async function stateOf({ kubectl }: Pick<PodCluster, 'kubectl'>): Promise<string> {
  const pods = await kubectl(['get', 'pods', '--all-namespaces', '--output=wide']);
  const events = await kubectl(['get', 'events', '--all-namespaces']);
  return `${pods}\n${events}`;
}

/** Ready, and no taint left that keeps Pods away. */
function isReady(node: unknown): boolean {
  const { spec, status } = node as {
    readonly spec: { readonly taints?: readonly object[] };
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  };
  const conditions = status?.conditions ?? [];
  return (
    conditions.some(({ type, status }) => type === 'Ready' && status === 'True') && (spec.taints ?? []).length === 0
  );
}

/** The way to the Pods of a node, from the API server and from all other nodes. */
async function routePods({ plane, nodes }: Cluster, node: ProxyNode, number: number): Promise<void> {
  const others = [plane.server, ...nodes.filter((other) => other !== node).map(({ namespace }) => namespace)];
  for (const other of others) {
    await runIn(other, ['ip', 'route', 'add', `10.244.${number}.0/24`, 'via', `192.168.77.${10 + number}`]);
    await runIn(other, ['ip', 'route', 'add', `fd00:10:${number}::/64`, 'via', `fd77::${10 + number}`]);
  }
}
