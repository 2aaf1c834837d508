import type { Protocol } from '../common/protocol.ts';
import type { PodSpecObject } from '../validate/manifests.ts';

/**
 * The number of a target port in one Pod; undefined: it has no port of that name. Names are those of containers, and of
 * init containers that keep running (1.28).
 */
export function portOfPod(
  spec: PodSpecObject | null | undefined,
  target: number | string,
  protocol: Protocol,
): number | undefined {
  if (typeof target === 'number') return target;
  const sidecars = (spec?.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  for (const container of [...(spec?.containers ?? []), ...sidecars]) {
    for (const port of container.ports ?? []) {
      if (port.name === target && (port.protocol ?? 'TCP') === protocol) return port.containerPort;
    }
  }
  return undefined;
}
