import { canonicalIp } from '../common/addresses/ip.ts';
import { isFinished } from '../validate/isFinished.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { Manifests, PodObject, PodSpecObject } from '../validate/kinds/manifests.ts';
import type { NodeFacts } from './nodeFacts.ts';
import { podIps } from './podIps.ts';
import { podsOfWorkloads } from './podsOfWorkloads.ts';

/** A port of the node that a Pod asks for: by hostPort, or as its own with hostNetwork. */
export interface HostPort {
  /** `Pod shop/web-0`, or `DaemonSet shop/web` whose Pods are not given: one of them may run on the node. */
  readonly owner: string;
  readonly isPod: boolean;
  readonly isHostNetwork: boolean;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly port: number;
  readonly containerPort: number;
  /** Undefined: all addresses of the node. */
  readonly ip: string | undefined;
  /** Canonical; of a Pod with hostNetwork the node's. */
  readonly podIPs: readonly string[];
}

/** Host ports of Pods on the node, and of workloads without given Pods, which may start one there. */
export function hostPortsOf(
  pods: readonly Manifest<PodObject>[],
  { workloads }: Pick<Manifests, 'workloads'>,
  node: Pick<NodeFacts, 'name'>,
): readonly HostPort[] {
  const given = podsOfWorkloads(workloads, pods);
  return [
    ...pods.flatMap(({ value }) => {
      const { metadata, spec } = value;
      if (spec?.nodeName?.toLowerCase() !== node.name || isFinished(value)) return [];
      const podIPs = podIps(value);
      return hostPortsOfSpec(spec).map((port) => ({ ...port, owner: `Pod ${nameOf(metadata)}`, isPod: true, podIPs }));
    }),
    ...workloads.flatMap((workload) => {
      const { kind, metadata, spec } = workload.value;
      if (given.has(workload)) return [];
      const ports = hostPortsOfSpec(spec.template?.spec);
      return ports.map((port) => ({ ...port, owner: `${kind} ${nameOf(metadata)}`, isPod: false, podIPs: [] }));
    }),
  ];
}

/** The ports of the node that a Pod of this specification takes. */
export function hostPortsOfSpec(spec: PodSpecObject | null | undefined) {
  const isHostNetwork = spec?.hostNetwork === true;
  // Of the containers before, those that stay serve too.
  const lasting = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...lasting, ...(spec?.containers ?? [])].flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, containerPort, protocol, hostIP }) => {
      const port = isHostNetwork ? containerPort : hostPort;
      if (!port) return [];
      const ip = canonicalIp(hostIP ?? '');
      const isAny = ip === undefined || ip === '0.0.0.0' || ip === '::';
      const own = { isHostNetwork, protocol: protocols[protocol ?? 'TCP'], port, containerPort };
      return [{ ...own, ip: isAny ? undefined : ip }];
    }),
  );
}

const protocols = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

function nameOf({ namespace, name }: PodObject['metadata']): string {
  return `${namespace ?? 'default'}/${name}`;
}
