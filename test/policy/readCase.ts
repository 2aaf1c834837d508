import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Origin } from '../../src/diagnostics/diagnostic.ts';
import type { Manifest } from '../../src/validate/kinds/manifest.ts';
import type { Manifests } from '../../src/validate/kinds/manifests.ts';

/** One entry of a case's `expected.json`. */
export interface Probe {
  readonly src: string;
  readonly dst: string;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP' | 'ICMP';
  /** 0 for ICMP. */
  readonly port: number;
  readonly family?: 'ipv4' | 'ipv6';
  readonly allowed: boolean;
  /** `dst` is an address of a Service or a node port: kube-proxy's rules are needed too. */
  readonly vip?: boolean;
}

export function readProbes(folder: string): readonly Probe[] {
  return JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8'));
}

/** The cases that speak of Services: their probes go to addresses that kube-proxy translates. */
export function hasServices(probes: readonly Probe[]): boolean {
  return probes.some(({ vip }) => vip === true);
}

const clusterKinds = ['AdminNetworkPolicy', 'BaselineAdminNetworkPolicy', 'ClusterNetworkPolicy'];

/** The objects of a YAML file, unchecked: fixtures are valid. */
export function readManifests(file: string): Manifests {
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
  return manifestsOf(objects, file);
}

/** biome-ignore lint/suspicious/noExplicitAny: objects of any kind, sorted here. */
export function manifestsOf(objects: readonly any[], file = 'made-up.yaml'): Manifests {
  const ofKind = (kind: string): Manifest<never>[] =>
    objects.flatMap((value, document) => {
      const origin: Origin = { file, document, path: [] };
      return value?.kind === kind ? [{ value: value as never, origin }] : [];
    });
  return {
    services: ofKind('Service'),
    endpoints: ofKind('Endpoints'),
    endpointSlices: ofKind('EndpointSlice'),
    nodes: ofKind('Node'),
    pods: ofKind('Pod'),
    namespaces: ofKind('Namespace'),
    networkPolicies: ofKind('NetworkPolicy'),
    clusterPolicies: clusterKinds.flatMap(ofKind),
    otherPolicies: [],
    serviceCIDRs: [],
    workloads: [],
    ingresses: [],
    secrets: [],
    configMaps: [],
    blockAffinities: [],
  };
}
