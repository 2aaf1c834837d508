/** What becomes of unknown fields, as kubectl's `--validate` has it. */
export type FieldValidation = 'strict' | 'warn' | 'ignore';
