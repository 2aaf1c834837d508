import type { Protocol } from '../../common/addresses/protocol.ts';
import type { ContainerObject, PodSpecObject } from '../../validate/kinds/manifests.ts';

/**
 * The number of a target port in one Pod; undefined: it has no port with that name. Names are those of containers, and
 * of init containers that keep running (1.28).
 */
export function portOfPod(
  spec: PodSpecObject | null | undefined,
  target: number | string,
  protocol: Protocol,
): number | undefined {
  if (typeof target === 'number') return target;
  for (const container of servingContainers(spec)) {
    for (const port of container.ports ?? []) {
      if (port.name === target && (port.protocol ?? 'TCP') === protocol) return port.containerPort;
    }
  }
  return undefined;
}

/** Those that run as long as the Pod: its containers, and init containers that keep running. */
export function servingContainers(spec: PodSpecObject | null | undefined): readonly ContainerObject[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec?.containers ?? []), ...sidecars];
}
