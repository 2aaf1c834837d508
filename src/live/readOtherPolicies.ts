import { policyKinds } from '../validate/kinds/policyKinds.ts';
import type { ApiAnswer, ClusterApi } from './clusterApi.ts';
import type { LiveKind } from './lists/liveKinds.ts';
import { type KindAnswer, readKind } from './lists/readKind.ts';
import { parseObject } from './lists/readList.ts';

/** The policies of other kinds that the server has, kind by kind; one failure if it does not say which kinds it has. */
export async function readOtherPolicies(
  api: ClusterApi,
  namespace: string | undefined,
): Promise<readonly KindAnswer[]> {
  const groups = await api.get('/apis');
  if (groups.kind !== 'found') return [kindsUnknown(groups)];
  const versions = versionsOf(groups.text).filter(({ group }) => Object.hasOwn(policyKinds, group));
  // Calico serves the same objects in both of its groups.
  const wanted = versions.some(({ group }) => group === 'projectcalico.org')
    ? versions.filter(({ group }) => group !== 'crd.projectcalico.org')
    : versions;
  const answers = await Promise.all(wanted.map((of) => readGroup(api, of, namespace)));
  return answers.flat();
}

async function readGroup(
  api: ClusterApi,
  { group, groupVersion }: GroupVersion,
  namespace: string | undefined,
): Promise<readonly KindAnswer[]> {
  const resources = await api.get(`/apis/${groupVersion}`);
  if (resources.kind !== 'found') return [kindsUnknown(resources)];
  return Promise.all(kindsOf(resources.text, group, groupVersion).map((of) => readKind(api, of, namespace)));
}

function kindsUnknown(answer: Exclude<ApiAnswer, { readonly kind: 'found' }>): KindAnswer {
  const hint = answer.kind === 'failed' ? answer.hint : undefined;
  return { kind: 'failed', message: `which kinds it serves: ${answer.message}`, ...(hint !== undefined && { hint }) };
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
