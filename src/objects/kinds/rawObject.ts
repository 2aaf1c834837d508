import type { Origin } from '../../diagnostics/diagnostic.ts';

/** An object as somebody wrote it, whether its kind is read or not. */
export interface RawObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}
