/** k8snet.yaml after its schema: `schema/k8snet.schema.json`. */
export interface CheckFileObject {
  readonly defaults?: CheckOptions;
  readonly cases?: readonly CheckCaseObject[];
  readonly ignore?: readonly IgnoredObject[];
}

/** Ids everywhere, as `--ignore` has them, or for one Service (`namespace/name`). */
export type IgnoredObject = string | { readonly id: string; readonly service: string };

export interface CheckCaseObject {
  readonly name: string;
  readonly manifests: readonly string[];
  readonly recursive?: boolean;
  readonly options?: CheckOptions;
  readonly golden: string;
  readonly form?: 'save' | 'restore' | 'script' | 'json';
  readonly compare?: 'bytes' | 'rules';
}

/** Target options by their names on the command line, in camel case. */
export type CheckOptions = Readonly<Record<string, string | number | boolean | readonly string[]>>;
