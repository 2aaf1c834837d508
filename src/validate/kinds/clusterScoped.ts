import type { Manifests } from './manifests.ts';

/** Kinds that belong to no namespace. */
export const clusterScoped: ReadonlySet<keyof Manifests> = new Set([
  'nodes',
  'namespaces',
  'serviceCIDRs',
  'blockAffinities',
  'clusterPolicies',
]);
