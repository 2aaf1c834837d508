import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Complain } from '../fields/complain.ts';
import { labelValueProblem, qualifiedNameProblem } from '../fields/names.ts';
import { quote } from '../fields/quote.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Manifests } from '../kinds/manifests.ts';
import type { Labels, ObjectMeta } from '../kinds/objectMeta.ts';

/** Keys and values of labels (also of pod templates and Service selectors), keys and whole size of annotations. */
export function labels(manifests: Manifests, complain: Complain): void {
  const checked = new Set<string>();
  for (const list of Object.values(manifests) as (readonly Manifest<{ readonly metadata: ObjectMeta }>[])[]) {
    for (const manifest of list) {
      const { metadata } = manifest.value;
      checkLabels(manifest, ['metadata', 'labels'], metadata.labels, checked, complain);
      checkAnnotations(manifest, metadata.annotations, checked, complain);
    }
  }
  for (const service of manifests.services) {
    checkLabels(service, ['spec', 'selector'], service.value.spec.selector, checked, complain);
  }
  for (const workload of manifests.workloads) {
    const template = workload.value.spec.template?.metadata?.labels;
    checkLabels(workload, ['spec', 'template', 'metadata', 'labels'], template, checked, complain);
  }
}

/** Labels at `path`; `checked` keeps the keys that were found good, as the same few come again and again. */
export function checkLabels(
  manifest: Manifest<unknown>,
  path: JsonPath,
  given: Labels | null | undefined,
  checked: Set<string>,
  complain: Complain,
): void {
  for (const key in given) {
    const value = given[key] as string;
    checkKey(manifest, path, key, checked, complain);
    const problem = labelValueProblem(value);
    if (problem !== undefined)
      complain(manifest, { code: 'bad-label', path: [...path, key], message: `${quote(value)} ${problem}` });
  }
}

function checkAnnotations(
  manifest: Manifest<unknown>,
  given: Labels | null | undefined,
  checked: Set<string>,
  complain: Complain,
): void {
  const path = ['metadata', 'annotations'];
  let size = 0;
  for (const key in given) {
    // The API compares annotation keys in lower case, which lets capitals through in the prefix.
    checkKey(manifest, path, key, checked, complain, key.toLowerCase());
    size += key.length + (given[key] as string).length;
  }
  if (size > mostAnnotations) {
    complain(manifest, {
      code: 'bad-label',
      path,
      message: `annotations of ${size} bytes, at most ${mostAnnotations} are allowed`,
    });
  }
}

/** The API's limit of 256 KiB. */
const mostAnnotations = 262_144;

function checkKey(
  manifest: Manifest<unknown>,
  path: JsonPath,
  key: string,
  checked: Set<string>,
  complain: Complain,
  spelling = key,
): void {
  if (checked.has(spelling)) return;
  const problem = qualifiedNameProblem(spelling);
  if (problem === undefined) remember(checked, spelling);
  else
    complain(manifest, {
      code: 'bad-label',
      path: [...path, key],
      part: 'key',
      message: `the key ${quote(key)} ${problem}`,
    });
}

/** Good keys are short; their number is bounded so that the set does not grow with the input. */
function remember(checked: Set<string>, text: string): void {
  if (checked.size < 10_000) checked.add(text);
}
