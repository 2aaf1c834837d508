import type { RefusalReason } from './clusterApi.ts';

/** What the API server means by a status of HTTP; of others the request failed. */
export const refusalReasons: ReadonlyMap<number, RefusalReason> = new Map([
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [410, 'Expired'],
]);

/** `kind` and `message` of the Status object with which the server refuses; what is not there, or is no such text, is undefined. */
export function readStatus(text: string): {
  readonly kind?: string | undefined;
  readonly message?: string | undefined;
} {
  try {
    const { kind, message } = JSON.parse(text) as { readonly kind?: unknown; readonly message?: unknown };
    return { kind: textOf(kind), message: textOf(message) };
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
