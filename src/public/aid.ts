import type { ServiceQuestion } from '../aid/checkService.ts';
import type { ServiceCheck } from '../aid/serviceCheck.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/load.ts';
import { type CompileOptions, compileInput } from '../pipeline/compileInput.ts';

/** Which Service is asked about, and what was read of the cluster and of its nodes. */
export interface CheckServiceOptions extends Omit<ServiceQuestion, 'input'> {
  /** Undefined: none were given. */
  readonly objects: Loaded['objects'] | undefined;
  readonly options: CompileOptions;
}

/**
 * Is one Service in order; if not, the first cause, what shows it and what mends it, and what was looked at. Undefined:
 * an error was reported.
 */
export async function checkService(
  { objects, options, ...question }: CheckServiceOptions,
  report: Report,
): Promise<ServiceCheck | undefined> {
  const input = objects && compileInput(objects, options, report);
  if (objects !== undefined && input === undefined) return undefined;
  return (await import('../aid/checkService.ts')).checkService({ ...question, input }, report);
}
