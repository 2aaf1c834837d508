import type { Family } from '../common/addresses/family.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { podRangesOf } from '../seen/settings/podRangesOf.ts';
import type { NodeTracer } from '../trace/nodeTracer.ts';
import { addressText } from '../walk/values/text.ts';

export interface PodSender {
  readonly address: string;
  /** It is known by which interface its packets come. */
  readonly hasInterface: boolean;
}

/** A Pod of the node: a visible one, or an address in the range of Pods; undefined: nothing shows where Pods are. */
export function podSender(dump: NodeRules, tracer: NodeTracer, family: Family): PodSender | undefined {
  const { topology } = tracer.tracerOf(family).input;
  const pod = topology.pods.find(({ interface: own, addresses }) => own !== undefined && addresses.length > 0);
  const [shown] = pod?.addresses ?? [];
  if (shown !== undefined) return { address: addressText(shown), hasInterface: true };
  const range = podRangesOf(dump, family)[0];
  if (range === undefined) return undefined;
  // Near the end of the first 254 addresses: those at the beginning are endpoints mostly.
  const first = range.first;
  const address = addressText(typeof first === 'bigint' ? first + 0xfn : first + 251);
  return { address, hasInterface: false };
}
