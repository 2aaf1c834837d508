import type { Endpoint } from '../model/endpoint.ts';
import type { ServicePlan } from './plan.ts';

/**
 * Whether both plans lead to the same rules, whatever nodes they were made for. Whether an endpoint is on the node has
 * been decided by then: it shows in the lists, and no rule mentions it.
 */
export function samePlan(one: ServicePlan, other: ServicePlan): boolean {
  return sameLists(one, other) && restKeys(one).every((key) => sameValue(one[key], other[key]));
}

const lists = ['cluster', 'local', 'sticky', 'reachable'] as const;

function sameLists(one: ServicePlan, other: ServicePlan): boolean {
  return (
    sameEndpoints(one.all, other.all) &&
    lists.every((list) => (one[list] === one.all && other[list] === other.all) || sameEndpoints(one[list], other[list]))
  );
}

function sameEndpoints(one: readonly Endpoint[], other: readonly Endpoint[]): boolean {
  return one.length === other.length && one.every((endpoint, at) => sameEndpoint(endpoint, other[at] as Endpoint));
}

function sameEndpoint(one: Endpoint, other: Endpoint): boolean {
  return (
    one.address === other.address &&
    one.ip === other.ip &&
    one.port === other.port &&
    one.isReady === other.isReady &&
    one.isServing === other.isServing &&
    one.isTerminating === other.isTerminating
  );
}

const compared: ReadonlySet<string> = new Set(['all', ...lists]);

function restKeys(plan: ServicePlan): readonly (keyof ServicePlan)[] {
  return (Object.keys(plan) as (keyof ServicePlan)[]).filter((key) => !compared.has(key));
}

/** Plain data; the Service's own endpoints are those in the lists, and its places do not affect rules. */
function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        key === 'origin' ||
        key === 'endpoints' ||
        sameValue((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
