// Made by scripts/generateValidators.ts from schema/. Do not edit.

import type { FieldTables, Validator } from './validators.generated.mjs';

/** By kind and place (`/spec/ports/*`): the legal field names. */
export declare const fields: FieldTables;

export declare const blockaffinity: Validator;
export declare const configmap: Validator;
export declare const ingress: Validator;
export declare const secret: Validator;
