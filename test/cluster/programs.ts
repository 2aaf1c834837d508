import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The release whose API server the tests run, and whose kube-proxy is in the same program. */
const apiVersion = '1.36.3';

/** Where build.sh puts what it built. */
const programs = process.env.K8SNET_CLUSTER ?? join(homedir(), '.cache/k8snet-cluster');

export const controlPlane = join(programs, `hyper-${apiVersion}`);

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
  if (existsSync(controlPlane) && missing.length === 0) return undefined;
  return `a cluster was not built: test/cluster/build.sh ${[apiVersion, ...missing.filter((one) => one !== apiVersion)].join(' ')}`;
}
