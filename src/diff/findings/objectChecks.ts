import type { Model } from '../../model/model.ts';
import type { Manifests } from '../../validate/manifests.ts';
import type { Finding } from '../finding.ts';
import { mirrorChecks } from './mirrorChecks.ts';
import { nodeNameChecks } from './nodeNameChecks.ts';
import { podRangeChecks } from './podRangeChecks.ts';
import { sharedAddressChecks } from './sharedAddressChecks.ts';
import { sliceChecks } from './sliceChecks.ts';
import { targetPortChecks } from './targetPortChecks.ts';

/** What objects say against each other and against the settings, in the order of the ids; they are not kept. */
export function objectChecks(manifests: Manifests, { node, config, servicePorts }: Model): readonly Finding[] {
  return [
    ...podRangeChecks(config, manifests.nodes),
    ...nodeNameChecks(manifests, node),
    ...sliceChecks(manifests.endpointSlices, servicePorts),
    ...targetPortChecks(manifests),
    ...sharedAddressChecks(servicePorts),
    ...mirrorChecks(manifests, servicePorts),
  ];
}
