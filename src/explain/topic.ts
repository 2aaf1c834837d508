import type { Cluster } from '../model/cluster.ts';
import type { Service } from '../model/service.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { ModeCounts } from '../pipeline/modeCounts.ts';
import type { Plan, ServicePlan } from '../plan/plan.ts';

/** Something about Services that people ask about, explained in general and for given objects. */
export type Topic = {
  readonly title: string;
  /** Paragraphs that hold whatever the objects are. */
  readonly about: readonly string[];
  readonly refs?: readonly string[];
} & (
  | {
      /** It depends on kube-proxy and the node. */
      readonly kind: 'node';
      /** The result for Service ports of one family on the chosen node; empty: there is nothing to say. */
      readonly ofServices: (
        services: readonly ServicePlan[],
        plan: Plan,
        compiled: Compiled,
      ) => readonly ServiceWords[];
    }
  | {
      /** It is the same on every node. */
      readonly kind: 'cluster';
      readonly ofCluster: (services: readonly Service[], cluster: Cluster) => readonly ServiceWords[];
    }
  | {
      /** It is about all Services together, in each mode. */
      readonly kind: 'modes';
      readonly ofModes: (counts: readonly ModeCounts[]) => readonly ServiceWords[];
    }
  /** It is the same whatever the objects are. */
  | { readonly kind: 'general' }
);

/** What is said about one Service, port or mode: a heading and lines below it. */
export interface ServiceWords {
  readonly heading: string;
  readonly lines: readonly string[];
}
