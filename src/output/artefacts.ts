import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Artefact } from './artefact.ts';
import { outputBackend } from './backends/outputBackends.ts';
import type { OutputOptions } from './outputOptions.ts';

/**
 * Every file that the mode has. Texts are made on demand; one that comes out empty is not written. Only the mode's own
 * code is loaded.
 */
export async function artefacts(
  compiled: Compiled,
  options: OutputOptions,
  report: Report,
): Promise<readonly Artefact[]> {
  const { dialect } = compiled;
  const { files: filesOf } = await outputBackend(dialect.mode);
  const files = filesOf(compiled, dialect, options, report);
  const pods = options.masqueradedPods ?? [];
  if (pods.length === 0) return files;
  const { withPodMasquerade } = await import('./withPodMasquerade.ts');
  return withPodMasquerade(files, pods, modeFacts[dialect.mode].rulesIn === 'nftables');
}
