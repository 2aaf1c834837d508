import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/compileCase.ts';
import type { ProxyNode } from './openCluster.ts';
import type { ControlPlane } from './openControlPlane.ts';
import { controlPlane, podImage } from './programs.ts';

/** A kubelet with its containerd. */
export interface Kubelet {
  /** What it wrote to its log. */
  readonly log: () => string;
  /** Ends it with all Pods of the node; nothing is left of them. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a real kubelet with containerd, runc and the bridge plugin in the network of a node; Pods get addresses of the
 * node's ranges. What keeps it (keepNode.sh) ends all of it with this process, in whatever way that ends.
 */
export function startKubelet(
  plane: Pick<ControlPlane, 'folder'>,
  { name, namespace }: Pick<ProxyNode, 'name' | 'namespace'>,
  number: number,
  images: readonly string[],
): Kubelet {
  const folder = join(plane.folder, `kubelet-${name}`);
  mkdirSync(join(folder, 'cni'), { recursive: true });
  const group = `k8snet-${process.pid}-${name}`;
  writeFileSync(join(folder, 'containerd.toml'), containerdConfig(folder));
  writeFileSync(join(folder, 'cni/10-pods.conflist'), JSON.stringify(podNetwork(number)));
  writeFileSync(join(folder, 'kubelet.yaml'), JSON.stringify(kubeletConfig(group)));
  const addresses = `192.168.77.${10 + number},fd77::${10 + number}`;
  writeFileSync(join(folder, 'flags'), `--hostname-override=${name} --node-ip=${addresses}`);
  const network = `/proc/${namespace.pid}/ns/net`;
  const words = [folder, network, group, controlPlane, podImage, ...images];
  const log = join(plane.folder, `kubelet-${name}.log`);
  const output = openSync(log, 'a');
  const keeper = spawn(join(root, 'test/cluster/parts/keepNode.sh'), words, { stdio: ['pipe', output, output] });
  const ended = new Promise((resolve) => keeper.once('exit', resolve));
  const close = async () => {
    keeper.stdin?.end('closed');
    await ended;
  };
  const logs = [log, join(folder, 'containerd.log'), join(folder, 'kubelet.log')];
  return { log: () => logs.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join(''), close };
}

/** Debian's containerd. runc may not lower what the kernel prefers to kill in a container of ours. */
function containerdConfig(folder: string): string {
  const overlays = readFileSync('/proc/filesystems', 'utf8').includes('\toverlay\n');
  return `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pod:1"
  disable_apparmor = true
  restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "/usr/lib/cni"
  conf_dir = "${folder}/cni"
[plugins."io.containerd.grpc.v1.cri".containerd]
  snapshotter = "${overlays ? 'overlayfs' : 'native'}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
`;
}

function podNetwork(number: number): object {
  const ranges = [[{ subnet: `10.244.${number}.0/24` }], [{ subnet: `fd00:10:${number}::/64` }]];
  const ipam = { type: 'host-local', ranges, routes: [{ dst: '0.0.0.0/0' }, { dst: '::/0' }] };
  const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, hairpinMode: true, ipam };
  const portmap = { type: 'portmap', capabilities: { portMappings: true } };
  return { cniVersion: '0.4.0', name: 'pods', plugins: [bridge, portmap] };
}

/** Pods are not put into classes, and nothing is evicted: it is the machine of whoever runs the tests. */
function kubeletConfig(group: string): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    failSwapOn: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${group}`,
    cgroupsPerQOS: true,
    enforceNodeAllocatable: [],
    localStorageCapacityIsolation: false,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    evictionHard: { 'memory.available': '1Mi', 'nodefs.available': '0%', 'imagefs.available': '0%' },
    imageGCHighThresholdPercent: 100,
    nodeStatusUpdateFrequency: '2s',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
  };
}
