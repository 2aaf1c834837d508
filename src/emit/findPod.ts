import { count } from '../common/count.ts';
import { didYouMean } from '../common/didYouMean.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Manifest, PodObject } from '../validate/manifests.ts';

/** The Pod of that name; one that is not found is an error. */
export function findPod(
  cluster: Cluster,
  wanted: { readonly namespace: string; readonly name: string },
  report: Report,
): Manifest<PodObject> | undefined {
  const { pods } = cluster.manifests;
  const own = pods.filter(({ value }) => (value.metadata.namespace || 'default') === wanted.namespace);
  const found = own.find(({ value }) => value.metadata.name === wanted.name);
  if (found !== undefined) return found;
  const names = own.map(({ value }) => value.metadata.name);
  const meant = didYouMean(wanted.name, names);
  report({
    code: 'no-such-pod',
    severity: 'error',
    message: `Pod ${wanted.namespace}/${wanted.name} not found`,
    at: [],
    hint:
      meant !== undefined
        ? `did you mean ${wanted.namespace}/${meant}?`
        : pods.length === 0
          ? 'the input has no Pods; --assume-pods makes up those of workloads'
          : `the input has ${count(pods.length, 'Pod')}, ${own.length} of them in namespace ${wanted.namespace}`,
  });
  return undefined;
}
