import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IptablesBackend } from '../../../src/lab/loadRules.ts';
import type { LabServer } from '../../../src/lab/network/labNetwork.ts';
import type { PodNetwork } from '../../../src/lab/network/labNetworkOf.ts';
import { root } from '../compileCase.ts';
import type { ClusterShape } from './healthyCluster.ts';

/** A folder of `fixtures/healthy`: a node on which another program has rules beside kube-proxy's, and all is well. */
export interface HealthyCase extends CaseFile {
  readonly name: string;
  /** The whole path. */
  readonly folder: string;
}

/** `case.json`. */
interface CaseFile {
  /** One sentence: which program, and what it has on the node. */
  readonly what: string;
  /** What kube-proxy runs with, as options of k8snet: `--mode`, `--kube-version` and so on. */
  readonly args: readonly string[];
  readonly shape: ClusterShape;
  /** The variant of iptables that the name iptables means on this node; in nftables mode others use it. */
  readonly backend: IptablesBackend;
  readonly network?: PodNetwork;
  /** What listens on the node at addresses that `node.sh` adds. */
  readonly servers?: readonly Required<LabServer>[];
  /** Made in user-mode Linux: the kernels of most machines that run tests lack IPVS and dummy devices. */
  readonly needsGuest?: boolean;
  /** Findings that are true on this node, each looked at; there are no others. */
  readonly expected: { readonly doctor: readonly string[]; readonly diff: readonly string[] };
  readonly faults: readonly Fault[];
}

/** Something broken in a dump of the case, and what must be said then. */
export interface Fault {
  readonly what: string;
  readonly edit: Edit;
  /** Findings that name it first. */
  readonly named: { readonly doctor?: string; readonly diff?: string };
  /** A packet of `packets.txt` that does not arrive then, and a pattern of what `why` says first. */
  readonly lost?: string;
  readonly why?: string;
}

/** Of one of the dump's files: the pattern of what goes, and what comes in its place. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const healthyFolder = join(root, 'fixtures/healthy');

export function healthyNames(): readonly string[] {
  return readdirSync(healthyFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(healthyFolder, entry.name, 'case.json')))
    .map(({ name }) => name)
    .sort();
}

export function readHealthyCase(name: string): HealthyCase {
  const folder = join(healthyFolder, name);
  const file = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as CaseFile;
  return { ...file, name, folder };
}
