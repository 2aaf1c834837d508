import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import { endpointTemplates } from '../../emit/iptables/endpoints/endpointTemplates.ts';
import { isPlainName } from '../../emit/iptables/patterns/patternPrinter.ts';
import type { RuleTemplate } from '../../netfilter/iptables/print/ruleTemplate.ts';
import type {
  EndpointHole,
  EndpointSearch,
  EndpointShape,
  SearchEndpoints,
  WantedEndpoints,
} from '../../node/chains/endpointSearch.ts';
import type { NodePlan, Plan, ServicePlan } from '../../plan/plan.ts';

/**
 * Has the chains of a plan's endpoints looked for in a dump in parallel: nearly all lines of a large cluster belong to
 * them. Undefined: no thread is available.
 */
export function searchEndpoints(
  plan: Plan,
  dialect: IptablesDialect,
  search: SearchEndpoints | undefined,
): EndpointSearch | undefined {
  // IPv6 addresses have more than one spelling.
  if (search === undefined || plan.family !== 'ipv4') return undefined;
  const { shapes, shapeOf } = shapesOf(plan, dialect);
  return search(plan, shapes, () => ({ shapes, shapeOf, ...endpointsOf(plan.services) }));
}

function shapesOf({ services, node }: Plan, dialect: IptablesDialect): Pick<WantedEndpoints, 'shapes' | 'shapeOf'> {
  const numbers = new Map<string, number>();
  const shapes: EndpointShape[] = [];
  const shapeOf = Uint8Array.from(services, (service) => {
    const key = `${service.protocol} ${service.affinitySeconds !== undefined} ${isPlainName(service.displayName)}`;
    const number = numbers.get(key) ?? shapes.push(endpointShape(service, node, dialect)) - 1;
    numbers.set(key, number);
    return number;
  });
  return { shapes, shapeOf };
}

/** Rules with quoted or specially spelled words are left to the printer. */
function endpointShape(service: ServicePlan, node: NodePlan, dialect: IptablesDialect): EndpointShape {
  const templates = isPlainName(service.displayName) ? endpointTemplates(service, node, dialect) : undefined;
  const rules = templates?.every(isOfEndpoint) ? templates : [];
  return { protocol: service.protocol, rules };
}

function isOfEndpoint(template: RuleTemplate): template is RuleTemplate<EndpointHole> {
  return template.holes.every((hole) => hole === 'name' || hole === 'chain' || hole === 'ip' || hole === 'address');
}

function endpointsOf(services: readonly ServicePlan[]): Pick<WantedEndpoints, 'names' | 'counts' | 'addresses'> {
  const addresses: string[] = [];
  for (const { reachable } of services) for (const { address } of reachable) addresses.push(address);
  addresses.push('');
  return {
    names: services.map(({ displayName }) => displayName),
    counts: Int32Array.from(services, ({ reachable }) => reachable.length),
    addresses: addresses.join('\n'),
  };
}
