import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ProxyMode } from '../../src/common/proxy/proxyMode.ts';
import { gatesNeeded } from '../../src/dialect/gates/gateState.ts';
import { parseKubeVersion } from '../../src/dialect/version.ts';
import type { Namespace } from '../../src/lab/openNamespace.ts';
import type { Api } from './api.ts';
import { type ControlPlane, openControlPlane } from './openControlPlane.ts';
import { controlPlane, proxyCommand } from './programs.ts';
import { quietConntrack, syncs } from './proxySettings.ts';

/** A node that runs one real kube-proxy, and nothing else. */
export interface ProxyNode {
  readonly name: string;
  readonly version: string;
  readonly mode: Extract<ProxyMode, 'iptables' | 'nftables'>;
  readonly namespace: Namespace;
  /** The configuration of kube-proxy, a file. */
  readonly config: string;
  /** A new process makes a full sync; a running one makes one an hour, and what came apart meanwhile stays so. */
  readonly restart: () => Promise<void>;
  /** Ends it; `restart` starts it again. */
  readonly stop: () => Promise<void>;
  /** What kube-proxy wrote to its log. */
  readonly log: () => string;
}

/**
 * A real API server with etcd behind it, and a node a kube-proxy, each in an unnamed network namespace. Everything ends
 * with this process, in whatever way it ends.
 */
export interface Cluster {
  readonly api: Api;
  readonly plane: Pick<ControlPlane, 'folder' | 'server' | 'programs' | 'start'>;
  readonly nodes: readonly ProxyNode[];
  readonly close: () => Promise<void>;
}

export interface ClusterOptions {
  /** Names of the controllers that run; without any, tests make what controllers would. */
  readonly controllers?: readonly string[];
  /** Writes who asked the API server for what to the file `audit.log`. */
  readonly isAudited?: boolean;
}

/** Ranges of Pods, which every kube-proxy is told. */
export const clusterCIDR = '10.244.0.0/16,fd00:10::/32';

/** `settings`: fields of its configuration beside the usual ones. */
export interface ProxyKind extends Pick<ProxyNode, 'version' | 'mode'> {
  readonly settings?: object;
}

export async function openCluster(
  proxies: readonly ProxyKind[],
  { controllers = [], isAudited = false }: ClusterOptions = {},
): Promise<Cluster> {
  const plane = await openControlPlane('10.96.0.0/16,fd00:96::/112', isAudited);
  const { api, close } = plane;
  if (controllers.length > 0) runControllers(plane, controllers);
  try {
    const nodes = await Promise.all(
      proxies.map(async (kind, at): Promise<ProxyNode> => {
        const { version, mode } = kind;
        const name = `n${at + 1}`;
        const namespace = await plane.openNode(name, at + 11);
        await createNode(api, name, at + 1);
        const config = join(plane.folder, `${name}.yaml`);
        writeFileSync(config, proxyConfig(plane.folder, name, kind));
        const log = () => readFileSync(join(plane.folder, `${name}.log`), 'utf8');
        return {
          name,
          version,
          mode,
          namespace,
          config,
          ...runProxy(plane, name, namespace, version, config),
          log,
        };
      }),
    );
    return { api, plane, nodes, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}

function runControllers({ start, server, folder }: ControlPlane, controllers: readonly string[]): void {
  start(server, 'controllers', [
    controlPlane,
    'kube-controller-manager',
    `--kubeconfig=${join(folder, 'kubeconfig')}`,
    `--controllers=${controllers.join(',')}`,
    `--service-account-private-key-file=${join(folder, 'account.key')}`,
    `--root-ca-file=${join(folder, 'certs/apiserver.crt')}`,
    '--leader-elect=false',
  ]);
}

/** Starts kube-proxy. */
function runProxy(
  { start }: ControlPlane,
  name: string,
  namespace: Namespace,
  version: string,
  config: string,
): Pick<ProxyNode, 'restart' | 'stop'> {
  const command = proxyCommand(version);
  if (command === undefined) throw new Error(`kube-proxy ${version} was not built`);
  const run = () => start(namespace, name, [...command, '--config', config]);
  let child = run();
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const restart = async () => {
    await stop();
    child = run();
  };
  return { restart, stop };
}

function proxyConfig(folder: string, node: string, { version, mode, settings = {} }: ProxyKind): string {
  const kubeVersion = parseKubeVersion(version);
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: join(folder, 'kubeconfig') },
    mode,
    featureGates: kubeVersion === undefined ? {} : gatesNeeded(mode, kubeVersion),
    hostnameOverride: node,
    clusterCIDR,
    iptables: syncs,
    nftables: syncs,
    conntrack: quietConntrack,
    ...settings,
  });
}

async function createNode(api: Api, name: string, number: number): Promise<void> {
  await api.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `z${1 + (number % 2)}` },
    },
    spec: { podCIDRs: [`10.244.${number}.0/24`, `fd00:10:${number}::/64`], podCIDR: `10.244.${number}.0/24` },
  });
  await api.patch(`/api/v1/nodes/${name}/status`, {
    status: {
      addresses: [
        { type: 'InternalIP', address: `192.168.77.${10 + number}` },
        { type: 'InternalIP', address: `fd77::${10 + number}` },
        { type: 'Hostname', address: name },
      ],
    },
  });
}
