import type { SchemaError } from './validators.generated.mjs';

type Value = Readonly<Record<string, unknown>>;

/**
 * A copy of `value` without the fields that are an empty text where the API takes that for "not given" (`type: ""`), as
 * templates like to write them. `errors` are those of the validator; without such a field the value itself comes back.
 */
export function withoutEmptyChoices(value: Value, errors: readonly SchemaError[]): Value {
  let result = value;
  for (const { keyword, instancePath } of errors) {
    if (keyword !== 'enum' || !emptyIsAbsent.test(instancePath)) continue;
    result = withoutEmpty(result, instancePath.slice(1).split('/')) as Value;
  }
  return result;
}

/** The fields that are plain strings in the API's types; behind a pointer (`ipFamilyPolicy`) an empty text is a value. */
const emptyIsAbsent =
  /^\/spec\/(?:type|sessionAffinity|externalTrafficPolicy)$|^\/(?:spec|subsets\/\d+)\/ports\/\d+\/protocol$|\/(?:initC|c)ontainers\/\d+\/ports\/\d+\/protocol$/;

/** Copies only what lies on the way to the field. */
function withoutEmpty(value: unknown, path: readonly string[]): unknown {
  const [step = '', ...rest] = path;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === Number(step) ? withoutEmpty(item, rest) : item));
  }
  const fields = value as Value;
  if (rest.length > 0) return { ...fields, [step]: withoutEmpty(fields[step], rest) };
  const { [step]: choice, ...others } = fields;
  return choice === '' ? others : value;
}
