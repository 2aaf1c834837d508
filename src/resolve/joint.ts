import { sameItems } from '../common/sameItems.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { EndpointSliceObject } from '../validate/kinds/manifests.ts';
import { sliceNodeNames } from '../validate/shown/sliceNodeNames.ts';
import type { HidingLabels } from './hidingLabels.ts';

/** The ports of a Service, joined from just these EndpointSlices. */
export interface Joint extends Pick<Joining, 'key' | 'slices' | 'hiding' | 'sortsSlices'> {
  /** Nodes that endpoints are on. */
  readonly homes: ReadonlySet<string>;
  /** For nodes that have none of the endpoints: all of them get the same. */
  readonly elsewhere?: readonly ServicePort[];
  /** For the last node that has some. */
  readonly here?: { readonly node: string; readonly ports: readonly ServicePort[] };
}

/** A Service with its EndpointSlices, as one node's kube-proxy reads them. */
export interface Joining {
  /** `namespace/name` of the Service. */
  readonly key: string;
  readonly slices: readonly Manifest<EndpointSliceObject>[];
  readonly node: string;
  readonly hiding: HidingLabels;
  readonly sortsSlices: boolean;
}

/** Undefined: they were joined from something else, or for another node. */
export function jointPorts(joint: Joint, joining: Joining): readonly ServicePort[] | undefined {
  if (!isOf(joint, joining)) return undefined;
  if (!joint.homes.has(joining.node)) return joint.elsewhere;
  return joint.here?.node === joining.node ? joint.here.ports : undefined;
}

/** With the ports for a node; what is known for others stays. */
export function withPorts(joint: Joint | undefined, joining: Joining, ports: readonly ServicePort[]): Joint {
  const { node, ...own } = joining;
  const kept: Joint =
    joint !== undefined && isOf(joint, joining)
      ? joint
      : { ...own, homes: new Set(own.slices.flatMap(({ value }) => sliceNodeNames(value))) };
  return kept.homes.has(node) ? { ...kept, here: { node, ports } } : { ...kept, elsewhere: ports };
}

function isOf(joint: Joint, { slices, hiding, sortsSlices }: Joining): boolean {
  return joint.hiding === hiding && joint.sortsSlices === sortsSlices && sameItems(joint.slices, slices);
}
