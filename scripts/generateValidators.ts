/**
 * Compiles `schema/kubernetes/*.json` and `schema/k8snet.schema.json` to `src/validate/*.generated.mjs` and their types: one exported function a
 * kind, no import left, so that nothing of ajv is loaded at run time. With `--check` nothing is written; a file that is
 * not up to date fails.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';

const schemas = new URL('../schema/kubernetes/', import.meta.url);
const output = new URL('../src/validate/', import.meta.url);

/** Schemas that only others refer to. */
const parts: ReadonlySet<string> = new Set(['meta', 'podspec', 'clusterpolicyparts']);

/** The schema of k8snet.yaml stands with those that users get, not among the kinds. */
const checkFile = 'k8snet';

const banner = '// Made by scripts/generateValidators.ts from schema/. Do not edit.\n';

const collect =
  'function add(errors, error) { if (errors === null) return [error]; errors.push(error); return errors; }\n';

const typeDeclarations = `export interface SchemaError {
  /** JSON pointer. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** True: the value has the schema's form; otherwise \`errors\` of the function holds what is wrong until the next call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

export type FieldTables = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
`;

const names = [checkFile, ...readdirSync(schemas).filter((file) => file.endsWith('.json'))]
  .map((file) => file.replace(/\.json$/, ''))
  .sort();
const kinds = names.filter((name) => !parts.has(name));

/** Kinds that give no rules: in a module of their own, which a run about rules does not load. */
const besideRules: ReadonlySet<string> = new Set(['blockaffinity', 'configmap', 'ingress', 'secret']);
const ofRules = kinds.filter((name) => !besideRules.has(name));
const others = kinds.filter((name) => besideRules.has(name));

const files = {
  'validators.generated.mjs': code(ofRules),
  'validators.generated.d.mts': types(ofRules, typeDeclarations),
  'validatorsBesideRules.generated.mjs': code(others),
  'validatorsBesideRules.generated.d.mts': types(
    others,
    "import type { FieldTables, Validator } from './validators.generated.mjs';\n",
  ),
};

let isStale = false;
for (const [file, text] of Object.entries(files)) {
  const target = new URL(file, output);
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write(`src/validate/${file} is not up to date: run scripts/generateValidators.ts\n`);
    isStale = true;
  }
}
process.exitCode = isStale ? 1 : 0;

function code(own: readonly string[]): string {
  const ajv = new Ajv({
    allErrors: true,
    verbose: false,
    messages: false,
    allowUnionTypes: true,
    code: { source: true, esm: true, optimize: 3 },
  });
  for (const name of names) ajv.addSchema(readSchema(name));
  const generated = standalone.default(ajv, Object.fromEntries(own.map((name) => [name, `${name}.json`])));
  if (/\brequire\(|\bimport\b/.test(generated)) {
    throw new Error('a schema uses a keyword that needs a part of ajv at run time');
  }
  // Of an error only the place, the keyword and its parameters are read; collecting one is spelled once.
  const lean = generated
    .replace(/,schemaPath:(?:"[^"]*"|[^,{}]+),/g, ',')
    .replace(
      /const (err\d+) = (\{[^;]*\});\s*if\(vErrors === null\)\{\s*vErrors = \[\1\];\s*\}\s*else \{\s*vErrors\.push\(\1\);\s*\}/g,
      'vErrors = add(vErrors, $2);',
    )
    .replaceAll('"use strict";', '');
  return `${banner}${collect}export const fields = ${JSON.stringify(fieldTable(own))};\n${lean.replace(/(?<=[;}])(?=(?:export )?(?:const|function) )/g, '\n')}\n`;
}

/** The legal field names of every object in a kind, by the place of that object: `*` stands for an index or a free key. */
function fieldTable(own: readonly string[]): Record<string, Record<string, string[]>> {
  return Object.fromEntries(
    own.map((kind) => {
      const table: Record<string, string[]> = {};
      collectFields(kind, readSchema(kind), '', table);
      return [kind, table];
    }),
  );
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

function collectFields(file: string, schema: Schema, place: string, table: Record<string, string[]>): void {
  if (schema.$ref !== undefined) {
    const [target = '', definition = ''] = schema.$ref.split('#/definitions/');
    const name = target === '' || target === '#' ? file : target.replace(/\.json.*/, '');
    const root = readSchema(name);
    const found = definition === '' ? root : root.definitions?.[definition];
    if (found === undefined) throw new Error(`${file}.json refers to ${schema.$ref}, which does not exist`);
    collectFields(name, found, place, table);
  }
  if (schema.additionalProperties === false) table[place] = Object.keys(schema.properties ?? {});
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    collectFields(file, property, `${place}/${name}`, table);
  }
  if (schema.items !== undefined) collectFields(file, schema.items, `${place}/*`, table);
}

function readSchema(name: string): Schema {
  const file = name === checkFile ? `../${checkFile}.schema.json` : `${name}.json`;
  return JSON.parse(readFileSync(new URL(file, schemas), 'utf8')) as Schema;
}

function types(own: readonly string[], head: string): string {
  const functions = own.map((name) => `export declare const ${name}: Validator;`);
  return `${banner}
${head}
/** By kind and place (\`/spec/ports/*\`): the legal field names. */
export declare const fields: FieldTables;

${functions.join('\n')}
`;
}
