import * as validators from '../validatorsBesideRules.generated.mjs';
import type { KnownKind } from './kinds.ts';

/** The kinds that give no rules, for the runs that read them (`emit`, `lint`); others count and skip them. */
export const kindsBesideRules: readonly KnownKind[] = [
  // The old forms of Ingress are read too: their fields have other names and the same meaning.
  entry('Ingress', ['networking.k8s.io/v1', 'networking.k8s.io/v1beta1', 'extensions/v1beta1'], 'ingresses'),
  entry('Secret', ['v1'], 'secrets'),
  entry('ConfigMap', ['v1'], 'configMaps'),
  entry('BlockAffinity', ['crd.projectcalico.org/v1'], 'blockAffinities'),
];

function entry(
  kind: 'Ingress' | 'Secret' | 'ConfigMap' | 'BlockAffinity',
  apiVersions: readonly string[],
  list: KnownKind['list'],
): KnownKind {
  const schema = kind.toLowerCase() as Lowercase<typeof kind>;
  const { fields, [schema]: validator } = validators;
  return { kind, apiVersions, retired: {}, list, schema, validator, fields };
}
