import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { LabelSelectorObject } from '../kinds/networkPolicyObjects.ts';
import { checkLabels } from '../rules/labels.ts';
import type { Complain } from './complain.ts';
import { labelValueProblem, qualifiedNameProblem } from './names.ts';
import { quote } from './quote.ts';

/** A label selector: syntax of keys and values, and values where the operator has them. */
export function checkSelector(
  manifest: Manifest<unknown>,
  path: JsonPath,
  selector: LabelSelectorObject | null | undefined,
  complain: Complain,
): void {
  if (!selector) return;
  checkLabels(manifest, [...path, 'matchLabels'], selector.matchLabels, new Set(), complain);
  for (const [index, { key, operator, values }] of (selector.matchExpressions ?? []).entries()) {
    const place = [...path, 'matchExpressions', index];
    const problem = qualifiedNameProblem(key);
    if (problem !== undefined) {
      complain(manifest, { code: 'bad-label', path: [...place, 'key'], message: `${quote(key)} ${problem}` });
    }
    const hasValues = Boolean(values?.length);
    const wantsValues = operator === 'In' || operator === 'NotIn';
    if (hasValues !== wantsValues) {
      const message = `${wantsValues ? 'is required' : 'is not allowed'} with operator ${operator}`;
      complain(manifest, { code: 'bad-selector', path: [...place, 'values'], message });
    }
    for (const [position, value] of (values ?? []).entries()) {
      const valueProblem = labelValueProblem(value);
      if (valueProblem === undefined) continue;
      const message = `${quote(value)} ${valueProblem}`;
      complain(manifest, { code: 'bad-label', path: [...place, 'values', position], message });
    }
  }
}
