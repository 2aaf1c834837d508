import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import type { RuleCatalog } from '../known/ruleCatalog.ts';
import { askedOf } from '../known/ruleEntrances.ts';
import type { HealthCheckPort } from '../known/traceObjects.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** A number as the node port at which a load balancer asks whether the node has endpoints of a Service. */
export function healthCheckFacts(
  port: number,
  { ipsets }: WalkInput,
  { chains }: RuleCatalog,
  claims: readonly HealthCheckPort[],
): readonly WhoisFact[] {
  const own = claims.filter((claim) => claim.port === port);
  if (own.length > 0) return own.map(({ service }) => factOf(port, service));
  for (const { chain } of chains) {
    if (chain.name !== 'KUBE-NODEPORTS' || chain.table.name !== 'filter') continue;
    for (const rule of chain.rules()) {
      if (askedOf(rule.steps).port !== port) continue;
      const named = servicePortInComment(rule.comment);
      return [{ ...factOf(port, named && serviceOfPort(named)), ...placeOf(rule) }];
    }
  }
  const isInSet = [...ipsets.values()].some(
    ({ name, members }) =>
      proxySetKind(name)?.startsWith('HEALTH-CHECK') === true &&
      members.some(({ parts: [part] }) => part?.range.first === port),
  );
  return isInSet ? [factOf(port, undefined)] : [];
}

function factOf(port: number, service: string | undefined): WhoisFact {
  const of = service === undefined ? '' : ` of Service ${service}`;
  return {
    kind: 'healthCheck',
    sentence: `${port} is the health-check node port${of}: kube-proxy itself answers there`,
    ...(service !== undefined && { service }),
  };
}
