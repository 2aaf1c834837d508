/** The API server of one cluster, for reading: every call is a GET. */
export interface ClusterApi {
  /** Its name in messages: `cluster prod`. */
  readonly name: string;
  /** Of names that have none of their own; undefined: `default`. */
  readonly namespace?: string;
  readonly get: (path: string) => Promise<ApiAnswer>;
  /**
   * An answer that arrives line by line for as long as the server likes; the last `found` has no text. It ends when the
   * server ends it, or when `signal` says so.
   */
  readonly follow: (path: string, line: (text: string) => void, signal: AbortSignal) => Promise<ApiAnswer>;
}

export type ApiAnswer =
  | { readonly kind: 'found'; readonly text: string }
  /** The server answered something else than the request asked for. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string }
  /** Nobody answered, or nobody who knows this account. */
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string };

/** `Expired`: the list must be read again from its start. */
export type RefusalReason = 'Forbidden' | 'NotFound' | 'Expired';
