import type { Report } from '../diagnostics/diagnostic.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Artefact } from './artefact.ts';
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
  const files = await filesOfMode(compiled, options, report);
  const pods = options.masqueradedPods ?? [];
  if (pods.length === 0) return files;
  const { withPodMasquerade } = await import('./withPodMasquerade.ts');
  return withPodMasquerade(files, pods, compiled.dialect.mode === 'nftables');
}

async function filesOfMode(compiled: Compiled, options: OutputOptions, report: Report): Promise<readonly Artefact[]> {
  const { dialect } = compiled;
  switch (dialect.mode) {
    case 'iptables': {
      const { iptablesArtefacts } = await import('./iptablesArtefacts.ts');
      return iptablesArtefacts(compiled, dialect.spelling, options, report);
    }
    case 'ipvs': {
      const { ipvsArtefacts } = await import('./ipvsArtefacts.ts');
      return ipvsArtefacts(compiled, dialect.spelling, options, report);
    }
    case 'nftables': {
      const { nftablesArtefacts } = await import('./nftablesArtefacts.ts');
      return nftablesArtefacts(compiled, dialect.spelling, report);
    }
    case 'userspace': {
      const { userspaceArtefacts } = await import('./userspaceArtefacts.ts');
      return userspaceArtefacts(compiled, dialect, options, report);
    }
  }
}
