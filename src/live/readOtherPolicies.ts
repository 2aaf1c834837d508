import type { Report } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import { policyKinds } from '../validate/kinds/policyKinds.ts';
import type { ClusterApi } from './clusterApi.ts';
import { objectOf, reportProblem } from './lists/kindProblem.ts';
import type { LiveKind } from './lists/liveKinds.ts';
import { readKind } from './lists/readKind.ts';
import { parseObject } from './lists/readList.ts';

/**
 * Adds the policies of other kinds that the server has, and to `hidden` the kinds that the account may not read. False: no
 * answer is possible without what is missing, which was reported.
 */
export async function readOtherPolicies(
  api: ClusterApi,
  namespace: string | undefined,
  isNeeded: boolean,
  objects: SourceObject[],
  report: Report,
  hidden: Set<string>,
): Promise<boolean> {
  const groups = await api.get('/apis');
  if (groups.kind !== 'found') return refuse(api, groups, report);
  const versions = versionsOf(groups.text).filter(({ group }) => Object.hasOwn(policyKinds, group));
  // Calico serves the same objects in both of its groups.
  const wanted = versions.some(({ group }) => group === 'projectcalico.org')
    ? versions.filter(({ group }) => group !== 'crd.projectcalico.org')
    : versions;
  for (const { group, groupVersion } of wanted) {
    const resources = await api.get(`/apis/${groupVersion}`);
    if (resources.kind !== 'found') return refuse(api, resources, report);
    for (const of of kindsOf(resources.text, group, groupVersion)) {
      const answer = await readKind(api, of, namespace);
      if (!reportProblem(api, answer, isNeeded, report)) return false;
      if (answer.kind === 'forbidden') hidden.add(of.kind);
      if (answer.kind === 'read') for (const item of answer.items) objects.push(objectOf(api, answer, item));
    }
  }
  return true;
}

function refuse(api: ClusterApi, { message }: { readonly message: string }, report: Report): false {
  reportProblem(api, { kind: 'failed', message: `which kinds it serves: ${message}` }, true, report);
  return false;
}

interface GroupVersion {
  readonly group: string;
  readonly groupVersion: string;
}

function versionsOf(text: string): readonly GroupVersion[] {
  const { groups } = (parseObject(text) ?? {}) as { readonly groups?: readonly ApiGroup[] };
  return (groups ?? []).flatMap(({ name, preferredVersion }) =>
    name && preferredVersion?.groupVersion ? [{ group: name, groupVersion: preferredVersion.groupVersion }] : [],
  );
}

interface ApiGroup {
  readonly name?: string;
  readonly preferredVersion?: { readonly groupVersion?: string };
}

function kindsOf(text: string, group: string, groupVersion: string): readonly LiveKind[] {
  const { resources } = (parseObject(text) ?? {}) as { readonly resources?: readonly ApiResource[] };
  return (resources ?? [])
    .filter(({ name, kind }) => !name.includes('/') && policyKinds[group]?.kinds.includes(kind))
    .map(({ name, kind, namespaced }) => ({
      kind,
      resource: name,
      groupVersions: [groupVersion],
      isNamespaced: namespaced,
      tells: `policies of kind ${kind}`,
    }));
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}
