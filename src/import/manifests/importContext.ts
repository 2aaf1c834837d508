import type { Family } from '../../common/addresses/family.ts';
import type { PlanDialect } from '../../dialect/plan/planDialect.ts';

/** What is known of the node whose rules are read back. */
export interface ImportContext {
  readonly node: string;
  /** A name for all other nodes. */
  readonly otherNode: string;
  /** The node's IP of each family; undefined: it is not known. */
  readonly nodeIPs: Readonly<Record<Family, string | undefined>>;
  /** What the version decides that is taken for the writer's. */
  readonly plan: PlanDialect;
  /** One of the versions that may have written the rules uses hints only for Services that ask for them. */
  readonly asksForHints: boolean;
  /** The API server takes load balancers whose ports have several protocols. */
  readonly mixesProtocols: boolean;
  /** Ranges of the node's Pods; of a family without one the rules alone tell where endpoints are. */
  readonly podCIDRs: readonly string[];
}
