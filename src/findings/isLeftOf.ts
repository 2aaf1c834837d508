import type { Finding } from './finding.ts';

/** Rules name a Service (`namespace/name`) for something that no Service has: what is left of an earlier state of it. */
export function isLeftOf({ unknownTargets = [] }: Finding, service: string): boolean {
  return unknownTargets.some((target) => target?.kind === 'service' && target.name === service);
}
