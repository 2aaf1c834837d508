import { familyOf } from '../../common/addresses/ip.ts';
import { count } from '../../common/text/count.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { nameOf } from '../../validate/fields/describe.ts';
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
  const silent: Manifest<PodObject>[] = [];
  for (const pod of pods) {
    const { metadata, spec, status } = pod.value;
    if (isFinished(pod.value)) continue;
    const readiness = status?.conditions?.find(({ type }) => type === 'Ready');
    const isServing = readiness?.status === 'True';
    const isTerminating = Boolean(metadata.deletionTimestamp);
    const addresses = podAddresses(pod.value);
    if (readiness === undefined && addresses.length > 0) silent.push(pod);
    for (const ip of addresses) {
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
  if (!service.publishesNotReady) reportSilent(service, silent, report);
}

/** Written by hand, most often: a kubelet says it of every Pod. */
function reportSilent(
  service: ResolvedService,
  [first, ...more]: readonly Manifest<PodObject>[],
  report: Report,
): void {
  if (first === undefined) return;
  const whom = `${nameOf(first.value.metadata)}${more.length > 0 ? ` and ${count(more.length, 'more Pod', 'more Pods')}` : ''}`;
  const [does, them] = more.length > 0 ? ['do', 'they get'] : ['does', 'it gets'];
  report({
    code: 'pod-readiness-unsaid',
    severity: 'warning',
    message: `${whom}, which Service ${service.namespace}/${service.name} selects, ${does} not say whether ready: ${them} no traffic`,
    at: [first.origin],
    hint: 'write status.conditions: [{type: Ready, status: "True"}], or give the Pods as the cluster has them',
  });
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
