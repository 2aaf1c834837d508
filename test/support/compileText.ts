import { targetOptions } from '../../src/cli/options/targetOptions.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import { checkObjects } from '../../src/pipeline/checkObjects.ts';
import { type Compiled, compileChecked } from '../../src/pipeline/compile.ts';
import type { Manifests } from '../../src/validate/kinds/manifests.ts';
import { targetFlags } from './targetFlags.ts';

/** Compiles one text as the command line does with `-f -`; errors are a failure of the test. */
export async function compileText(
  text: string,
  ...args: readonly string[]
): Promise<{
  readonly manifests: Manifests;
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const flags = targetFlags(args);
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const { objects } = await load(['-'], { recursive: false, stdin: () => text }, report);
  const input = { objects, configObjects: [], target: targetOptions(flags), kubeVersion: flags.kubeVersion };
  const checked = checkObjects(input, report);
  const compiled = checked && compileChecked(checked, input, report);
  if (!checked || !compiled) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return { manifests: checked.manifests, compiled, diagnostics };
}
