import { familyOf } from '../../common/addresses/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { isFinished } from '../../validate/isFinished.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { PodObject } from '../../validate/kinds/manifests.ts';
import { podAddresses } from '../podAddresses.ts';
import type { ResolvedService } from '../resolvedService.ts';
import { type EndpointIndex, endpointAt } from './endpointIndex.ts';
import { portOfPod } from './portOfPod.ts';

const noHints: readonly string[] = [];

/**
 * Adds the endpoints that the endpoint-slice controller would derive from the Pods that a Service selects: Pods with an
 * address that have not ended; ready by their Ready condition; a named target port is looked up in each Pod.
 */
export function endpointsFromPods(
  service: ResolvedService,
  pods: readonly Manifest<PodObject>[],
  nodeName: string,
  index: EndpointIndex,
  report: Report,
): void {
  const withoutPort = new Map<string, Manifest<PodObject>[]>();
  for (const pod of pods) {
    const { metadata, spec, status } = pod.value;
    if (isFinished(pod.value)) continue;
    const isServing = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
    const isTerminating = Boolean(metadata.deletionTimestamp);
    for (const ip of podAddresses(pod.value)) {
      const family = familyOf(ip);
      if (family === undefined) continue;
      const state = {
        ip,
        // A Pod that is being deleted is never "ready", unless the Service publishes all of them.
        isReady: service.publishesNotReady || (isServing && !isTerminating),
        isServing,
        isTerminating,
        isLocal: spec?.nodeName === nodeName,
        zoneHints: noHints,
        nodeHints: noHints,
      };
      for (const port of service.ports) {
        const number = portOfPod(pod.value.spec, port.targetPort, port.protocol);
        if (number === undefined) {
          const missing = withoutPort.get(String(port.targetPort)) ?? [];
          if (missing.at(-1) !== pod) missing.push(pod);
          withoutPort.set(String(port.targetPort), missing);
        } else {
          index.add(family, port.name, port.protocol, endpointAt(state, number));
        }
      }
    }
  }
  reportMissingPorts(service, withoutPort, report);
}

function reportMissingPorts(
  service: ResolvedService,
  withoutPort: ReadonlyMap<string, readonly Manifest<PodObject>[]>,
  report: Report,
): void {
  for (const [name, pods] of withoutPort) {
    const at = service.ports.findIndex((port) => port.targetPort === name);
    report({
      code: 'named-port-missing',
      severity: 'warning',
      message: `${pods.length} of the Pods that Service ${service.namespace}/${service.name} selects have no port named "${name}" and are not endpoints for it`,
      at: [
        { ...service.origin, path: [...service.origin.path, 'spec', 'ports', at, 'targetPort'] },
        ...pods.slice(0, 3).map((pod) => pod.origin),
      ],
      hint: 'the name must be that of a container port with the same protocol',
    });
  }
}
