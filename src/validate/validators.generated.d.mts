// Made by scripts/generateValidators.ts from schema/. Do not edit.

export interface SchemaError {
  /** JSON pointer. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** True: the value has the schema's form; otherwise `errors` of the function holds what is wrong until the next call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

export type FieldTables = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** By kind and place (`/spec/ports/*`): the legal field names. */
export declare const fields: FieldTables;

export declare const adminnetworkpolicy: Validator;
export declare const baselineadminnetworkpolicy: Validator;
export declare const clusternetworkpolicy: Validator;
export declare const endpoints: Validator;
export declare const endpointslice: Validator;
export declare const k8snet: Validator;
export declare const kubeproxyconfiguration: Validator;
export declare const namespace: Validator;
export declare const networkpolicy: Validator;
export declare const node: Validator;
export declare const pod: Validator;
export declare const service: Validator;
export declare const servicecidr: Validator;
export declare const workload: Validator;
