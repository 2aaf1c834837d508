/** What names are taken from. */
export interface NamedObject {
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
}
