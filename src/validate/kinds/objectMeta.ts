/** `null` stands for absent, as in the API. */
export type Maybe<T> = T | null | undefined;

export type Labels = Readonly<Record<string, string>>;

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: Maybe<string>;
  readonly labels?: Maybe<Labels>;
  readonly annotations?: Maybe<Labels>;
  readonly deletionTimestamp?: Maybe<string>;
  readonly ownerReferences?: unknown;
  /** RFC 3339. */
  readonly creationTimestamp?: Maybe<string>;
}
