import type { KubeVersion } from '../dialect/version.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';
import type { Service } from './service.ts';

/**
 * What is known about a whole cluster, without choosing a node: the source of everything except packet-filter rules. It
 * is separate from `Model`: rules need neither headless Services nor names of endpoints, and with ten thousand Services
 * of ten endpoints they would cost each compile a fifth of its time and 17 MB.
 */
export interface Cluster {
  /** By namespace, then name, in byte order. */
  readonly services: readonly Service[];
  /** The checked objects; under `--assume-pods` with the Pods that workloads would start. */
  readonly manifests: Manifests;
  /** Those that are given, and those that anything given is in. */
  readonly namespaces: ReadonlySet<string>;
  /** Ranges of cluster IPs, the primary family's first; the default one where none was given. */
  readonly serviceCIDRs: readonly string[];
  readonly kubeVersion: KubeVersion;
}
