import { compareBytes } from '../common/compareBytes.ts';
import { allOf, type Ternary } from '../common/ternary.ts';
import type { LabelSelectorObject } from '../validate/kinds/networkPolicyObjects.ts';
import type { Labels } from '../validate/kinds/objectMeta.ts';

/** A label selector: all requirements hold. Equal selectors have equal texts, whatever their order in the manifest. */
export interface LabelSelector {
  /** As kubectl writes selectors: `app=db,tier in (a,b),!legacy`; empty: selects everything. */
  readonly text: string;
  readonly requirements: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** Reads a selector; none, `{}` and empty fields select everything. */
export function readLabelSelector(object: LabelSelectorObject | null | undefined): LabelSelector {
  const byText = new Map<string, LabelRequirement>();
  const add = (requirement: LabelRequirement) => byText.set(requirementText(requirement), requirement);
  for (const [key, value] of Object.entries(object?.matchLabels ?? {})) {
    add({ key, operator: 'In', values: [value] });
  }
  for (const { key, operator, values } of object?.matchExpressions ?? []) {
    const hasValues = operator === 'In' || operator === 'NotIn';
    add({ key, operator, values: hasValues ? [...new Set(values ?? [])].sort(compareBytes) : [] });
  }
  const sorted = [...byText].sort(([a], [b]) => compareBytes(a, b));
  return { text: sorted.map(([text]) => text).join(','), requirements: sorted.map(([, requirement]) => requirement) };
}

/** The label that the API server gives every Namespace: its name. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

/** Somebody with labels, of which the input may show only a part. */
export interface Labelled {
  readonly labels: Labels;
  readonly hasKnownLabels: boolean;
}

/** `maybe` where a label that the input does not show could decide. */
export function selects(selector: LabelSelector, { labels, hasKnownLabels }: Labelled): Ternary {
  if (hasKnownLabels) return selectsLabels(selector, labels) ? 'yes' : 'no';
  return allOf(
    selector.requirements.map((requirement) => {
      if (!Object.hasOwn(labels, requirement.key)) return 'maybe';
      return holds(requirement, labels) ? 'yes' : 'no';
    }),
  );
}

/** All requirements hold. NotIn and DoesNotExist also hold where the key is missing; an empty value is a value. */
export function selectsLabels(selector: LabelSelector, labels: Labels): boolean {
  return selector.requirements.every((requirement) => holds(requirement, labels));
}

function holds({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  // A label may be called `constructor`: only own keys count.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
  }
}
