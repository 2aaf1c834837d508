import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The release whose API server the tests run, and whose kube-proxy is in the same program. */
const apiVersion = '1.36.3';

/** Where build.sh puts what it built. */
const programs = process.env.K8SNET_CLUSTER ?? join(homedir(), '.cache/k8snet-cluster');

export const controlPlane = join(programs, `hyper-${apiVersion}`);

export const kubectlProgram = join(programs, `kubectl-${apiVersion}`);

/** An image with a shell and the usual small programs; by itself it sleeps. */
export const podImage = join(programs, 'pod.tar');

export const helm = join(programs, 'helm');

/** How kube-proxy of a release is started; undefined: it was not built. */
export function proxyCommand(version: string): readonly string[] | undefined {
  if (version === apiVersion) return existsSync(controlPlane) ? [controlPlane, 'kube-proxy'] : undefined;
  const own = join(programs, `kube-proxy-${version}`);
  return existsSync(own) ? [own] : undefined;
}

/** Why no cluster can run here, with the command that helps; undefined: one can. */
export function lacksCluster(versions: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'a cluster needs root';
  if (!existsSync('/usr/bin/etcd')) return 'etcd is not installed: apt-get install etcd-server';
  const missing = versions.filter((version) => proxyCommand(version) === undefined);
  if (existsSync(controlPlane) && existsSync(kubectlProgram) && missing.length === 0) return undefined;
  return `a cluster was not built: test/cluster/build.sh ${[apiVersion, ...missing.filter((one) => one !== apiVersion)].join(' ')}`;
}

/** Why no Pods can run here, with the command that helps; undefined: they can. */
export function lacksKubelet(versions: readonly string[]): string | undefined {
  const packages = { containerd: 'containerd', runc: 'runc', '../lib/cni/bridge': 'containernetworking-plugins' };
  const missing = Object.entries(packages).filter(
    ([program]) => !['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, program))),
  );
  if (missing.length > 0)
    return `Pods need what is not installed: apt-get install ${missing.map(([, name]) => name).join(' ')}`;
  return lacksCluster(versions) ?? (existsSync(podImage) ? undefined : 'no image of Pods: test/cluster/build.sh');
}

export function lacksHelm(): string | undefined {
  return existsSync(helm) ? undefined : 'Helm was not built: test/cluster/build.sh';
}
