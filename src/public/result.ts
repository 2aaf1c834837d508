import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';

/**
 * What a function gives, and all diagnostics about its input. Nothing is thrown: if `value` may be undefined, a
 * diagnostic with the severity `error` is the reason.
 */
export interface Result<Value> {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs work that reports as it goes, and gives what it reported with what it gave. */
export async function resultOf<Value>(work: (report: Report) => Value | Promise<Value>): Promise<Result<Value>> {
  const diagnostics: Diagnostic[] = [];
  const value = await work((diagnostic) => diagnostics.push(diagnostic));
  return { value, diagnostics };
}

/** The value of a result for callers that collect diagnostics of several: they get those of this one. */
export async function told<Value>(result: Promise<Result<Value>>, report: Report): Promise<Value> {
  const { value, diagnostics } = await result;
  for (const diagnostic of diagnostics) report(diagnostic);
  return value;
}

/**
 * The value of a result for scripts that stop where there is none, and for callers whose options are right by their types:
 * an Error says what was reported. `report` gets the diagnostics, as with `told`.
 */
export async function orThrow<Value>(
  result: Promise<Result<Value | undefined>>,
  report: Report = () => undefined,
): Promise<Value> {
  const value = await told(result, report);
  if (value !== undefined) return value;
  const { diagnostics } = await result;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  throw new Error(errors.length === 0 ? 'there is no value' : errors.join('; '));
}
