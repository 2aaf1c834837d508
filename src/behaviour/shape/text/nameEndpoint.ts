import type { Value } from '../../../common/ranges/valueRange.ts';
import type { StepWriter } from './stepWriter.ts';

/** Endpoints are numbered in the order in which rules lead to them. */
export function nameEndpoint(address: Value, { names: { endpoints } }: StepWriter): void {
  if (!endpoints.has(address)) endpoints.set(address, endpoints.size);
}
