import { onlyValue } from '../../common/ranges/valueSet.ts';
import { isHashedServiceChain } from '../../netfilter/proxyChains.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { WalkEvent } from '../../walk/flow.ts';
import type { Ended } from '../../walk/hooks/walkHook.ts';
import type { WalkTable } from '../../walk/input/walkInput.ts';
import { addressText } from '../../walk/values/text.ts';
import { trailItems } from '../../walk/values/trail.ts';

/** The receiver of a packet, in the words of the cluster. */
export interface EndpointFinder {
  endpointOf(ended: Ended): EndpointName | null;
}

export interface EndpointName {
  readonly service: string | null;
  readonly pod: string | null;
  readonly node: string | null;
}

/** Names from the rules (kube-proxy's comments and chains), and from the Pods in the facts. */
export function createEndpointFinder(context: WalkContext): EndpointFinder {
  const { topology } = context.input;
  const pods = new Map(topology.pods.flatMap((pod) => pod.addresses.map((address) => [address, pod] as const)));
  return {
    endpointOf: ({ flow, end }) => {
      if (end.kind !== 'leaves' && end.kind !== 'delivered') return null;
      const address = onlyValue(flow.packet.destination);
      const pod = address === undefined ? undefined : pods.get(address);
      const service = serviceOf(trailItems(flow.path));
      const host = topology.hosts.find(({ addresses }) => address !== undefined && addresses.includes(address));
      const node = pod?.node ?? (end.kind === 'delivered' ? topology.node : host?.name);
      if (pod === undefined && service === undefined) return null;
      // An endpoint without a known Pod only has its address.
      const name = address === undefined || pod?.name === addressText(address) ? undefined : pod?.name;
      return { service: service ?? null, pod: name ?? null, node: node ?? null };
    },
  };
}

/**
 * The Service that the translating rule names, or that its chain belongs to. Comments of endpoints may be left out: then the
 * rule counts that led to their chains.
 */
function serviceOf(events: readonly WalkEvent[]): string | undefined {
  const path = [...events];
  for (const [at, { chain, rule }] of [...path.entries()].reverse()) {
    if (rule?.steps.some(({ kind }) => kind === 'nat') !== true) continue;
    const named = servicePortInComment(rule.comment) ?? nftServiceName(chain.name);
    if (named !== undefined) return named;
    if (isHashedServiceChain(chain.name)) return lastNamed(path.slice(0, at), chain.table);
  }
  return undefined;
}

function lastNamed(events: readonly WalkEvent[], table: WalkTable): string | undefined {
  const names = events.flatMap(({ chain, rule }) =>
    chain.table === table ? (servicePortInComment(rule?.comment) ?? []) : [],
  );
  return names.at(-1);
}
