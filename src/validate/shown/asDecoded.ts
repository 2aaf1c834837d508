import type { SchemaError } from '../validators.generated.mjs';

type Value = Readonly<Record<string, unknown>>;

/**
 * A copy of `value` as the API's decoder takes it: a field that is an empty text is left out where that means "not given"
 * (`type: ""`), and a null among labels is an empty text. `errors` are those of the validator; where no such field is
 * among them the value itself comes back.
 */
export function asDecoded(value: Value, errors: readonly SchemaError[]): Value {
  let result: unknown = value;
  for (const { keyword, instancePath, params } of errors) {
    const isChoice = keyword === 'enum' && emptyIsAbsent.test(instancePath);
    const isLabel = keyword === 'type' && params.type === 'string' && nullIsEmpty.test(instancePath);
    if (!isChoice && !isLabel) continue;
    const path = instancePath.slice(1).split('/').map(unescaped);
    result = changed(result, path, isChoice ? withoutEmpty : withEmpty);
  }
  return result as Value;
}

/** The fields that are plain strings in the API's types; behind a pointer (`ipFamilyPolicy`) an empty text is a value. */
const emptyIsAbsent =
  /^\/spec\/(?:type|sessionAffinity|externalTrafficPolicy)$|^\/(?:spec|subsets\/\d+)\/ports\/\d+\/protocol$|\/(?:initC|c)ontainers\/\d+\/ports\/\d+\/protocol$/;

/** Maps and lists of texts: Go decodes a null among them to "". */
const nullIsEmpty =
  /\/metadata\/(?:labels|annotations)\/[^/]*$|^\/spec\/selector\/[^/]*$|\/(?:matchLabels|deprecatedTopology)\/[^/]*$|\/matchExpressions\/\d+\/values\/\d+$/;

/** A step of a JSON pointer. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function withoutEmpty(fields: Value, field: string): Value {
  const { [field]: choice, ...others } = fields;
  return choice === '' ? others : fields;
}

function withEmpty(fields: Value, field: string): Value {
  return fields[field] === null ? { ...fields, [field]: '' } : fields;
}

/** Copies only what lies on the way to the field. */
function changed(value: unknown, path: readonly string[], change: (fields: Value, field: string) => Value): unknown {
  const [step = '', ...rest] = path;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      if (index !== Number(step)) return item;
      return rest.length > 0 ? changed(item, rest, change) : change({ item }, 'item').item;
    });
  }
  const fields = value as Value;
  return rest.length > 0 ? { ...fields, [step]: changed(fields[step], rest, change) } : change(fields, step);
}
