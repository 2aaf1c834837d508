import { mostFrequent } from '../../common/mostFrequent.ts';
import type { SeenDetector, SeenSettings } from './seenSettings.ts';

/** What rules for Services say of masquerading, each of those that were read. */
export interface MasqueradeVotes {
  /**
   * Rules that mark traffic to a cluster IP: of which Service port, in any words, and what they leave out as that of local
   * Pods; undefined: nothing, they mark all. The oldest versions write both rules for a Service.
   */
  readonly clusterIPs: { readonly service: string; readonly detector: SeenDetector | undefined }[];
  /** What other rules tell traffic of local Pods by. */
  readonly pods: SeenDetector[];
}

/**
 * The settings behind these rules. They are the same for all Services: one rule that differs was changed by somebody, so
 * that most rules tell by what Pods are known, and all that cluster IPs are masqueraded for everybody.
 */
export function settledVotes({ clusterIPs, pods }: MasqueradeVotes): Pick<SeenSettings, 'detector' | 'masqueradesAll'> {
  const detector = mostFrequent([...clusterIPs.flatMap((one) => one.detector ?? []), ...pods], keyOf);
  const forAll = clusterIPs.flatMap(({ service, detector: own }) => (own === undefined ? service : []));
  const services = new Set(clusterIPs.map(({ service }) => service));
  return {
    ...(detector && { detector }),
    ...(services.size > 0 && { masqueradesAll: new Set(forAll).size === services.size }),
  };
}

function keyOf(detector: SeenDetector): string {
  switch (detector.kind) {
    case 'cidr':
      return `cidr ${detector.cidr}`;
    case 'bridge':
      return `bridge ${detector.name}`;
    case 'prefix':
      return `prefix ${detector.prefix}`;
  }
}
