import { namesMeant } from '../../common/namesMeant.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { hostPortsOfSpec } from '../../model/hostPortsOf.ts';
import type { Service } from '../../model/service.ts';
import { nameOf } from '../../validate/fields/describe.ts';
import type { Manifests } from '../../validate/kinds/manifests.ts';

/**
 * The Services to balance, in their order: those that were named, or every LoadBalancer that no class leaves to another
 * balancer. Undefined: a named one cannot be balanced, which was reported.
 */
export function chooseServices(
  services: readonly Service[],
  names: readonly string[] | undefined,
  { workloads }: Pick<Manifests, 'workloads'>,
  report: Report,
): readonly Service[] | undefined {
  if (names === undefined) {
    const chosen = services.filter(
      ({ type, loadBalancer }) => type === 'LoadBalancer' && loadBalancer.className === '',
    );
    if (chosen.length === 0) reportNone(workloads, report);
    return chosen;
  }
  const byName = new Map(services.map((service) => [service.id, service]));
  let isComplete = true;
  for (const name of names) {
    const service = byName.get(name);
    if (service?.type === 'LoadBalancer' || service?.type === 'NodePort') continue;
    isComplete = false;
    const meant = service === undefined ? namesMeant(name, [...byName.keys()]) : [];
    report({
      code: 'bad-option',
      severity: 'error',
      message:
        service === undefined
          ? `--service ${name}: the input has no such Service`
          : `--service ${name}: a Service of type ${service.type} has no node ports`,
      at: [],
      ...(meant.length > 0 && { hint: `did you mean ${meant.join(' or ')}?` }),
    });
  }
  return isComplete ? services.filter((service) => names.includes(service.id)) : undefined;
}

function reportNone(workloads: Manifests['workloads'], report: Report): void {
  const withHostPorts = workloads.find(({ value }) => hostPortsOfSpec(value.spec.template?.spec).length > 0);
  report({
    code: 'no-services',
    severity: 'warning',
    message: 'no Service of type LoadBalancer is given, so nothing is balanced',
    at: [],
    hint:
      withHostPorts === undefined
        ? 'NodePort Services are balanced when they are named: --service NAMESPACE/NAME'
        : `to balance over the host ports of ${withHostPorts.value.kind} ${nameOf(withHostPorts.value.metadata)}: --host-ports ${nameOf(withHostPorts.value.metadata)}`,
  });
}
