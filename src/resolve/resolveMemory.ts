import { sameItems } from '../common/sameItems.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { EndpointSliceObject, ServiceObject } from '../validate/kinds/manifests.ts';
import { sliceNodeNames } from '../validate/shown/sliceNodeNames.ts';
import type { HidingLabels } from './hidingLabels.ts';
import type { ResolvedService } from './resolvedService.ts';

/**
 * What earlier runs made of the same objects, for the same node or others. Objects are never written to: from the same
 * ones comes the same, so Services that did not change are not resolved again.
 */
export interface ResolveMemory {
  /** A Service that gets rules where these labels hide others, and lacked nothing. */
  readonly service: (manifest: Manifest<ServiceObject>, hiding: HidingLabels) => ResolvedService | undefined;
  readonly keepService: (manifest: Manifest<ServiceObject>, hiding: HidingLabels, service: ResolvedService) => void;
  /** The ports of a Service, if they were joined from just these slices. */
  readonly ports: (joint: Joint) => readonly ServicePort[] | undefined;
  readonly keepPorts: (joint: Joint, ports: readonly ServicePort[]) => void;
}

/** A Service with its EndpointSlices, as one node's kube-proxy reads them. */
export interface Joint {
  readonly service: ResolvedService;
  readonly slices: readonly Manifest<EndpointSliceObject>[];
  readonly node: string;
  readonly hiding: HidingLabels;
  readonly sortsSlices: boolean;
}

export function resolveMemory(): ResolveMemory {
  const services = new Map<HidingLabels, WeakMap<Manifest<ServiceObject>, ResolvedService>>();
  const joined = new WeakMap<ResolvedService, Joined>();
  const known = ({ service, slices, hiding, sortsSlices }: Joint) => {
    const one = joined.get(service);
    if (one === undefined || one.hiding !== hiding || one.sortsSlices !== sortsSlices) return undefined;
    return sameItems(one.slices, slices) ? one : undefined;
  };
  return {
    service: (manifest, hiding) => services.get(hiding)?.get(manifest),
    keepService: (manifest, hiding, service) => {
      const own = services.get(hiding) ?? new WeakMap();
      services.set(hiding, own.set(manifest, service));
    },
    ports: (joint) => {
      const one = known(joint);
      if (one === undefined) return undefined;
      if (!one.homes.has(joint.node)) return one.elsewhere;
      return one.here?.node === joint.node ? one.here.ports : undefined;
    },
    keepPorts: (joint, ports) => {
      const { service, slices, hiding, sortsSlices, node } = joint;
      const one: Joined = known(joint) ?? {
        slices,
        hiding,
        sortsSlices,
        homes: new Set(slices.flatMap(({ value }) => sliceNodeNames(value))),
      };
      if (one.homes.has(node)) one.here = { node, ports };
      else one.elsewhere = ports;
      joined.set(service, one);
    },
  };
}

interface Joined extends Pick<Joint, 'slices' | 'hiding' | 'sortsSlices'> {
  /** Nodes that endpoints are on. */
  readonly homes: ReadonlySet<string>;
  /** For nodes that have none of the endpoints: all of them get the same. */
  elsewhere?: readonly ServicePort[];
  /** For the last node that has some. */
  here?: { readonly node: string; readonly ports: readonly ServicePort[] };
}
