import type { SourceObject } from '../../load/sourceObject.ts';
import { asDecoded } from '../shown/asDecoded.ts';
import type { FieldTables, Validator } from '../validators.generated.mjs';
import type { Complain } from './complain.ts';
import type { FieldValidation } from './fieldValidation.ts';
import { schemaErrors } from './schemaErrors.ts';

/** What checks a kind. */
export interface KindSchema {
  /** Name of the validator, for the field names of unknown-field hints. */
  readonly schema: string;
  readonly validator: Validator;
  /** The legal field names, by validator. */
  readonly fields: FieldTables;
}

/**
 * Checks the form of an object and reports what is wrong with it. Gives the value to go on with, or undefined when it
 * cannot be used; unknown fields alone do not hinder unless `unknownFields` is strict.
 */
export function checkSchema(
  object: SourceObject,
  { schema, validator, fields }: KindSchema,
  unknownFields: FieldValidation,
  complain: Complain,
): unknown {
  if (validator(object.value)) return object.value;
  const value = asDecoded(object.value, validator.errors ?? []);
  if (validator(value)) return value;
  const errors = validator.errors ?? [];
  for (const problem of schemaErrors(schema, value, errors, fields)) {
    const isUnknown = problem.code === 'unknown-field';
    if (isUnknown && unknownFields === 'ignore') continue;
    complain(object, isUnknown && unknownFields === 'strict' ? { ...problem, severity: 'error' } : problem);
  }
  const hasOnlyUnknown = errors.every((error) => error.keyword === 'additionalProperties');
  return hasOnlyUnknown && unknownFields !== 'strict' ? value : undefined;
}
