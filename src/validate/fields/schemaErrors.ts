import { didYouMean } from '../../common/text/didYouMean.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { ObjectDiagnostic } from '../../diagnostics/objectDiagnostic.ts';
import { type FieldTables, fields, type SchemaError } from '../validators.generated.mjs';
import { quote } from './quote.ts';

/**
 * What a generated validator found wrong with `value`, in our words: the first problem of every place, in the order
 * of the schema. `schema` is the validator's name.
 */
export function schemaErrors(
  schema: string,
  value: unknown,
  errors: readonly SchemaError[],
  tables: FieldTables = fields,
): readonly ObjectDiagnostic[] {
  const problems: ObjectDiagnostic[] = [];
  const seen = new Set<string>();
  for (const error of errors) {
    const path = parsePointer(error.instancePath, value);
    const problem = describeError(tables[schema], error, path, valueAt(value, path));
    const key = problem.path.join('\n');
    if (seen.has(key)) continue;
    seen.add(key);
    problems.push(problem);
  }
  return problems;
}

function describeError(
  table: FieldTables[string] | undefined,
  error: SchemaError,
  path: JsonPath,
  value: unknown,
): ObjectDiagnostic {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return { code: 'missing-field', path: [...path, String(params.missingProperty)], message: 'is required' };
    case 'additionalProperties':
      return unknownField(table, error.instancePath, path, String(params.additionalProperty));
    case 'type':
      return wrongType(path, value, params.type);
    case 'enum':
      return {
        code: 'unsupported-value',
        path,
        message: `unsupported value ${quote(value)}: supported values are ${supported(params.allowedValues)}`,
        ...caseHint(value, params.allowedValues),
      };
    case 'minimum':
    case 'maximum':
      return { code: 'out-of-range', path, message: outOfRange(path, value) };
    case 'minItems':
      return { code: 'wrong-item-count', path, message: `must contain at least ${params.limit} item` };
    case 'maxItems':
      return {
        code: 'wrong-item-count',
        path,
        message: `has ${(value as unknown[]).length} items, at most ${params.limit} are allowed`,
      };
    default:
      throw new Error(`no words for schema keyword ${keyword}`);
  }
}

function unknownField(
  table: FieldTables[string] | undefined,
  pointer: string,
  path: JsonPath,
  name: string,
): ObjectDiagnostic {
  const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
  const meant = didYouMean(name, table?.[place] ?? []);
  return {
    code: 'unknown-field',
    path: [...path, name],
    part: 'key',
    message: `unknown field ${quote(name)}`,
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  };
}

function wrongType(path: JsonPath, value: unknown, type: unknown): ObjectDiagnostic {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null').map(String);
  if (value === null) return { code: 'missing-field', path, message: 'is required' };
  if (typeof value === 'number' && types.includes('integer')) {
    return { code: 'wrong-type', path, message: `${quote(value)} is not an integer` };
  }
  const expected = types.map((name) => typeWords.get(name) ?? name).join(' or ');
  return { code: 'wrong-type', path, message: `expected ${expected}, got ${withType(value)}` };
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['string', 'a string'],
  ['boolean', 'a boolean'],
  ['array', 'a list'],
  ['object', 'a mapping'],
]);

function withType(value: unknown): string {
  return typeof value === 'object' ? quote(value) : `the ${typeof value} ${quote(value)}`;
}

function outOfRange(path: JsonPath, value: unknown): string {
  if (typeof value === 'number' && (value > 0x7fffffff || value < -0x80000000)) {
    return `${quote(value)} does not fit an int32`;
  }
  return `${quote(value)} ${ranges.get(String(path.at(-1))) ?? 'is not between 1 and 65535'}`;
}

/** What is no port. */
const ranges: ReadonlyMap<string, string> = new Map([
  ['timeoutSeconds', 'is not between 1 and 86400'],
  ['masqueradeBit', 'is not between 0 and 31'],
  ['priority', 'is not between 0 and 1000'],
  ['oomScoreAdj', 'is not between -1000 and 1000'],
  ['maxPerCore', 'is less than 0'],
  ['min', 'is less than 0'],
  ['replicas', 'is less than 0'],
  ['parallelism', 'is less than 0'],
]);

function supported(allowed: unknown): string {
  return textsOf(allowed)
    .filter((value) => value !== '')
    .sort()
    .map((value) => `"${value}"`)
    .join(', ');
}

function caseHint(value: unknown, allowed: unknown): { readonly hint?: string } {
  const lower = typeof value === 'string' ? value.toLowerCase() : '';
  const meant = textsOf(allowed).find((candidate) => candidate !== '' && candidate.toLowerCase() === lower);
  return meant === undefined ? {} : { hint: `did you mean ${meant}?` };
}

function textsOf(allowed: unknown): string[] {
  return (allowed as readonly unknown[]).filter((value) => typeof value === 'string');
}

/** The steps of a JSON pointer: numbers where the value has a list. */
function parsePointer(pointer: string, root: unknown): JsonPath {
  if (pointer === '') return [];
  const path: (string | number)[] = [];
  let value = root;
  for (const part of pointer.slice(1).split('/')) {
    const step = Array.isArray(value) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(step);
    value = (value as Record<string | number, unknown>)[step];
  }
  return path;
}

function valueAt(root: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], root);
}
