import { familyNames } from '../common/addresses/family.ts';
import { ascending } from '../common/ascending.ts';
import type { Plan } from '../plan/plan.ts';

/** What the health-check responder of one Service reports: 200 while it has ready local endpoints, otherwise 503. */
export interface HealthCheck {
  readonly family: 'ipv4' | 'ipv6';
  readonly namespace: string;
  readonly name: string;
  readonly healthCheckNodePort: number;
  /** Distinct addresses over all ports of the EndpointSlices, also of those that the Service does not have. */
  readonly localReadyEndpoints: number;
}

/** Every Service with a health-check node port, by family and name. */
export function healthChecks(plans: readonly Plan[]): readonly HealthCheck[] {
  return plans.flatMap((plan) => {
    const found = new Map<string, { check: HealthCheck; ips: Set<string> }>();
    for (const { port, all } of plan.services) {
      if (port.healthCheckNodePort === 0) continue;
      const key = `${port.namespace}/${port.name}`;
      let entry = found.get(key);
      if (entry === undefined) {
        const { namespace, name, healthCheckNodePort } = port;
        const check = { family: plan.family, namespace, name, healthCheckNodePort, localReadyEndpoints: 0 };
        entry = { check, ips: new Set(port.strayLocalIPs) };
        found.set(key, entry);
      }
      for (const { ip, isLocal, isReady } of all) if (isLocal && isReady) entry.ips.add(ip);
    }
    return [...found.entries()]
      .sort(([a], [b]) => ascending(a, b))
      .map(([, { check, ips }]) => ({ ...check, localReadyEndpoints: ips.size }));
  });
}

/** `health.txt`: one line a Service and family. */
export function printHealthChecks(checks: readonly HealthCheck[]): string {
  return checks
    .map(
      (check) =>
        `${familyNames[check.family]} ${check.namespace}/${check.name} healthCheckNodePort=${check.healthCheckNodePort} localReadyEndpoints=${check.localReadyEndpoints}\n`,
    )
    .join('');
}
