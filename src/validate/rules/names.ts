import type { Complain } from '../fields/complain.ts';
import { dns1035LabelProblem, dns1123LabelProblem, dns1123SubdomainProblem } from '../fields/names.ts';
import { quote } from '../fields/quote.ts';
import { clusterScoped } from '../kinds/clusterScoped.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Manifests } from '../kinds/manifests.ts';
import type { ObjectMeta } from '../kinds/objectMeta.ts';

/** metadata.name and metadata.namespace: given, and of the syntax that the kind wants. */
export function names(manifests: Manifests, complain: Complain): void {
  for (const [kind, list] of Object.entries(manifests) as [keyof Manifests, readonly Named[]][]) {
    // What is not read is not judged.
    if (kind === 'otherPolicies') continue;
    const problemOf = syntax[kind] ?? dns1123SubdomainProblem;
    const isClusterScoped = clusterScoped.has(kind);
    for (const manifest of list) {
      checkName(manifest, problemOf, complain);
      checkNamespace(manifest, isClusterScoped, complain);
    }
  }
}

type Named = Manifest<{ readonly metadata: ObjectMeta & { readonly generateName?: string | null } }>;

/** Kinds whose names are stricter than a DNS subdomain. */
const syntax: Partial<Record<keyof Manifests, typeof dns1035LabelProblem>> = {
  services: dns1035LabelProblem,
  namespaces: dns1123LabelProblem,
};

function checkName(manifest: Named, problemOf: typeof dns1035LabelProblem, complain: Complain): void {
  const { name, generateName } = manifest.value.metadata;
  if (!name) {
    const isGenerated = Boolean(generateName);
    complain(manifest, {
      code: 'missing-name',
      path: ['metadata', isGenerated ? 'generateName' : 'name'],
      message: isGenerated ? 'only the API server can make a name of generateName' : 'is required',
      ...(isGenerated ? { hint: 'give metadata.name' } : {}),
    });
    return;
  }
  const problem = problemOf(name);
  if (problem !== undefined) {
    const isTakenLater = problemOf === dns1035LabelProblem && dns1123LabelProblem(name) === undefined;
    complain(manifest, {
      code: 'bad-name',
      path: ['metadata', 'name'],
      message: `${quote(name)} ${problem}`,
      ...(isTakenLater && {
        isTakenLater,
        hint: 'from 1.34 on the feature gate RelaxedServiceNameValidation lets it begin with a digit',
      }),
    });
  }
}

function checkNamespace(manifest: Named, isClusterScoped: boolean, complain: Complain): void {
  const { namespace } = manifest.value.metadata;
  if (!namespace) return;
  const problem = isClusterScoped ? 'is not allowed: the kind has no namespaces' : dns1123LabelProblem(namespace);
  if (problem !== undefined) {
    complain(manifest, {
      code: 'bad-name',
      path: ['metadata', 'namespace'],
      message: `${quote(namespace)} ${problem}`,
    });
  }
}
