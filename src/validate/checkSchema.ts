import type { SourceObject } from '../load/sourceObject.ts';
import type { Complain } from './complaint.ts';
import { schemaErrors } from './schemaErrors.ts';
import { type FieldTables, fields, type Validator } from './validators.generated.mjs';
import { withoutEmptyChoices } from './withoutEmptyChoices.ts';

/**
 * Checks the form of an object and reports what is wrong with it. Gives the value to go on with, or undefined when it
 * cannot be used; unknown fields alone do not hinder. `schema` names the validator, `tables` are those of its module.
 */
export function checkSchema(
  object: SourceObject,
  schema: string,
  validator: Validator,
  complain: Complain,
  tables: FieldTables = fields,
): unknown {
  if (validator(object.value)) return object.value;
  const value = withoutEmptyChoices(object.value, validator.errors ?? []);
  if (validator(value)) return value;
  const errors = validator.errors ?? [];
  for (const complaint of schemaErrors(schema, value, errors, tables)) complain(object, complaint);
  return errors.every((error) => error.keyword === 'additionalProperties') ? value : undefined;
}
