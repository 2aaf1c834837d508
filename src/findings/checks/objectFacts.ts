import type { ContestedEndpoints, Model } from '../../model/model.ts';
import type { ServicePort } from '../../model/servicePort.ts';
import { mirroredEndpoints } from '../../objects/endpoints/mirroredEndpoints.ts';
import { unusedSlices } from '../../objects/endpoints/unusedSlices.ts';
import { emptyPortReasons } from '../../objects/services/emptyPortReasons.ts';
import { namedTargetPorts } from '../../objects/services/namedTargetPorts.ts';
import { sharedAddresses } from '../../objects/services/sharedAddresses.ts';
import { endpointSources } from '../../resolve/endpoints/endpointSources.ts';
import type { Manifests } from '../../validate/kinds/manifests.ts';
import type { Finding } from '../finding.ts';
import { findingOfObjects, makeFinding } from '../makeFinding.ts';
import { nodeNameChecks } from './node/nodeNameChecks.ts';
import { podRangeChecks } from './node/podRangeChecks.ts';

/** What the comparison of rules must know about objects, learned before these are released. */
export interface ObjectFacts {
  /** Contradictions among them and with the settings, in the order of the ids. */
  readonly objectFindings: readonly Finding[];
  /** Why Service ports have no endpoints. */
  readonly emptyPorts: ReadonlyMap<ServicePort, string>;
  /** The same for another reading of the objects, if versions of kube-proxy read them otherwise. */
  readonly factsOf?: (model: Model) => ObjectFacts;
}

export function objectFacts(manifests: Manifests, model: Model): ObjectFacts {
  const { node, config, servicePorts, contested = [] } = model;
  const sources = endpointSources(manifests);
  const objectFindings = [
    ...podRangeChecks(config, manifests.nodes),
    ...nodeNameChecks(manifests, node),
    ...[
      ...unusedSlices(manifests, sources, servicePorts),
      ...namedTargetPorts(manifests, sources),
      ...sharedAddresses(servicePorts),
      ...mirroredEndpoints(manifests, sources, servicePorts),
    ].map(findingOfObjects),
    ...contested.map(contestedFinding),
  ];
  return { objectFindings, emptyPorts: emptyPortReasons(manifests, sources, servicePorts) };
}

/** For a comparison without objects. */
export const noObjectFacts: ObjectFacts = { objectFindings: [], emptyPorts: new Map() };

/** K8N906. */
function contestedFinding({ service, addresses, origin }: ContestedEndpoints): Finding {
  const seen = `EndpointSlices of ${service} disagree about ${addresses}: which entry counts is left to chance`;
  return makeFinding('K8N906', { what: seen, service, places: [origin] });
}
