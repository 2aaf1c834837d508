import type { Report } from '../diagnostics/diagnostic.ts';
import { type ObjectFacts, objectFacts } from '../findings/checks/objectFacts.ts';
import { checkObjects } from '../pipeline/checkObjects.ts';
import { type Compiled, type CompileInput, compileChecked } from '../pipeline/compile.ts';

/** What a comparison with a node needs of manifests. */
export interface CompiledWithFacts {
  readonly compiled: Compiled;
  /** What objects say by themselves, kept when the objects are let go. */
  readonly facts: ObjectFacts;
}

/**
 * Compiles, and learns from the objects what findings need of them. Undefined: an error was reported. `begin` is called in
 * between, where something can be done beside.
 */
export function compileWithFacts(
  input: CompileInput,
  report: Report,
  begin: (compiled: Compiled) => void = () => {},
): CompiledWithFacts | undefined {
  const checked = (input.sharing?.checkObjects ?? checkObjects)(input, report);
  const compiled = checked && compileChecked(checked, input, report);
  if (compiled !== undefined) begin(compiled);
  return compiled && { compiled, facts: objectFacts(checked.manifests, compiled.model) };
}
