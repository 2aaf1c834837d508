import { namesMeant } from '../common/namesMeant.ts';
import { count } from '../common/text/count.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Cluster } from '../model/cluster.ts';
import { nameOf } from '../validate/fields/describe.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject } from '../validate/kinds/manifests.ts';

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
  const names = pods.map(({ value }) => nameOf(value.metadata));
  const meant = namesMeant(`${wanted.namespace}/${wanted.name}`, names);
  report({
    code: 'no-such-pod',
    severity: 'error',
    message: `Pod ${wanted.namespace}/${wanted.name} not found`,
    at: [],
    hint:
      meant.length > 0
        ? `did you mean ${meant.join(' or ')}?`
        : pods.length === 0
          ? 'the input has no Pods; --assume-pods makes up those of workloads'
          : `the input has ${count(pods.length, 'Pod')}, ${own.length} of them in namespace ${wanted.namespace}`,
  });
  return undefined;
}
