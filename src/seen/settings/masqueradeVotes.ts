import { mostFrequent } from '../../common/mostFrequent.ts';
import type { SeenDetector, SeenSettings } from './seenSettings.ts';

/** What each of the rules for Services that were read says about masquerading. */
export interface MasqueradeVotes {
  /**
   * Rules that mark traffic to a cluster IP: the Service port, in any words, and what they exempt as traffic of local
   * Pods; undefined: they exempt nothing. The oldest versions write both rules for a Service.
   */
  readonly clusterIPs: { readonly service: string; readonly detector: SeenDetector | undefined }[];
  /** How other rules recognize traffic of local Pods. */
  readonly pods: SeenDetector[];
}

/**
 * The settings behind these rules. They are the same for all Services, so a single rule that differs was edited by
 * somebody: most rules decide how Pods are recognized, and cluster IPs count as masqueraded only if all rules say so.
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
