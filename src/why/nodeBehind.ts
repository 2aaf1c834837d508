import type { Value } from '../common/ranges/valueRange.ts';
import type { Topology } from '../walk/input/topology.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/** The node that this one's route to an address leads to; undefined: nothing shows one. */
export function nodeBehind(address: Value, { known, input }: WhyQuestion): string | undefined {
  const route = known.routeTo?.(address);
  return route === undefined || route.length === 0 ? undefined : nodeAt(route.via, input.topology);
}

/** The node with an address: nodes are hosts that Pods are behind. */
export function nodeAt(address: Value | undefined, { hosts, routes }: Topology): string | undefined {
  return address !== undefined && routes.some(({ via }) => via === address)
    ? hosts.find(({ addresses }) => addresses.includes(address))?.name
    : undefined;
}
