import type { Report } from '../../diagnostics/diagnostic.ts';
import { type ObjectFacts, objectFacts } from '../../findings/checks/objectFacts.ts';
import type { Model } from '../../model/model.ts';
import { checkObjects } from '../../pipeline/checkObjects.ts';
import { type Compiled, type CompileInput, compileChecked } from '../../pipeline/compile.ts';

/** What a comparison with a node needs from manifests. */
export interface CompiledWithFacts {
  readonly compiled: Compiled;
  /** What objects say by themselves; it is kept when the objects are released. */
  readonly facts: ObjectFacts;
}

/**
 * Compiles, and learns from the objects what findings need to know. Undefined: an error was reported. `begin` is called
 * in between, to start work that can run in parallel.
 */
export function compileWithFacts(
  input: CompileInput,
  report: Report,
  begin: (compiled: Compiled) => void = () => {},
): CompiledWithFacts | undefined {
  const checked = (input.sharing?.checkObjects ?? checkObjects)(input, report);
  const compiled = checked && compileChecked(checked, input, report);
  if (compiled !== undefined) begin(compiled);
  if (checked === undefined || compiled === undefined) return undefined;
  const factsOf = (model: Model) => objectFacts(checked.manifests, model);
  return { compiled, facts: { ...factsOf(compiled.model), ...(compiled.readAs && { factsOf }) } };
}
