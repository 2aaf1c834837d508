/** An object of Kubernetes that was read back from rules, in the order in which it is printed. */
export interface ImportedManifest {
  readonly value: ImportedObject;
  /** Remarks on fields, by the object or list that holds them. */
  readonly remarks: Remarks;
}

export interface ImportedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/**
 * By container, then by field: of a field that is there a comment behind its value, of one that is not there a comment in
 * its place.
 */
export type Remarks = ReadonlyMap<object, ReadonlyMap<string, string>>;

/** Remarks while an object is made. */
export interface RemarkBook {
  readonly all: Remarks;
  readonly add: (container: object, field: string, text: string) => void;
}

export function remarkBook(): RemarkBook {
  const all = new Map<object, Map<string, string>>();
  return {
    all,
    add: (container, field, text) => {
      const own = all.get(container) ?? new Map<string, string>();
      all.set(container, own.set(field, text));
    },
  };
}
