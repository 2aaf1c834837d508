import { memoized } from '../../common/memoized.ts';
import { serviceChainKind } from '../../netfilter/proxyChains.ts';
import { endpointOf } from '../../node/endpointOf.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { repeatedRole } from './consequences.ts';
import type { SaidParts } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { listOf } from './listOf.ts';
import type { KnownService } from './serviceIndex.ts';

/**
 * Receivers that should get no traffic of a Service, and why they get it. `seen` says who sends it: `KUBE-SVC-A sends
 * traffic`. `isFirst`: others that send to them, too, follow from this one.
 */
export function strangerParts(
  seen: string,
  addresses: readonly string[],
  service: KnownService | undefined,
  isFirst: boolean,
): SaidParts {
  const role = repeatedRole('strangers', addresses, isFirst);
  const known = service === undefined ? [] : addresses.flatMap((address) => byAddress(service).get(address) ?? []);
  const isOne = addresses.length === 1;
  const to = listOf(addresses);
  if (known.length === 0)
    return { what: `${seen} to ${to}, which ${isOne ? 'is not an endpoint' : 'are not endpoints'}`, role };
  const state =
    known.length < addresses.length
      ? 'which should get none of it'
      : `${isOne ? 'an endpoint' : 'endpoints'} that ${stateOf(known, isOne)}`;
  return { what: `${seen} to ${to}, ${state}`, why: lostUpdate, role };
}

const byAddress = memoized(
  ({ endpoints }: KnownService): ReadonlyMap<string, KnownService['endpoints'][number]> =>
    new Map(endpoints.map((endpoint) => [endpoint.address, endpoint])),
);

/** Ready endpoints are left out by policies, topology hints and the endpoints of other nodes. */
function stateOf(endpoints: KnownService['endpoints'], isOne: boolean): string {
  if (endpoints.every(({ isReady }) => !isReady)) return isOne ? 'is not ready' : 'are not ready';
  return 'should get none of it';
}

const lostUpdate =
  'kube-proxy lost an update or its connection to the API server, or the manifests are older than the rules.';

/** `ip:port` of the endpoints that a chain of iptables mode leads to, by way of others or not, in the order of the rules. */
export function endpointsBehind({ tables, family }: ToolRules, start: string): readonly string[] {
  const chains = tables.get('nat')?.chains;
  const seen = new Set([start]);
  const endpoints = new Set<string>();
  for (const name of seen) {
    const chain = chains?.get(name);
    if (serviceChainKind(name) === 'endpoint') {
      const address = endpointOf(chain, family);
      if (address !== undefined) endpoints.add(address);
      continue;
    }
    for (const rule of chain === undefined ? [] : rulesOf(chain, family)) {
      const target = jumpTarget(rule);
      if (serviceChainKind(target) !== undefined) seen.add(target);
    }
  }
  return [...endpoints];
}
