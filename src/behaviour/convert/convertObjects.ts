import type { Report } from '../../diagnostics/diagnostic.ts';
import { newestVersion } from '../../dialect/newestVersion.ts';
import { reportVersion } from '../../dialect/reportVersion.ts';
import { formatKubeVersion, type KubeVersion } from '../../dialect/version.ts';
import { checking } from '../../pipeline/checking.ts';
import { type Compiled, type CompileInput, compile } from '../../pipeline/compile.ts';
import { compileOtherwise } from '../../pipeline/compileOtherwise.ts';
import type { MigrationTarget } from '../migrate/migrateObjects.ts';

/** Manifests that were read back from a dump, compiled for the current and for the new rules. */
export interface Conversion {
  readonly from: Compiled;
  readonly to: Compiled;
}

/** Undefined: an error was reported. */
export function convertObjects(input: CompileInput, to: MigrationTarget, report: Report): Conversion | undefined {
  const heard = checking(() => {});
  // Diagnostics about the current rules matter to nobody: those about the new ones do.
  const from = compile(input, (one) => {
    heard.report(one);
    if (one.severity === 'error') report({ ...one, at: [] });
  });
  if (from === undefined || heard.hasErrors()) return undefined;
  const mode = to.mode ?? from.model.config.mode;
  const kubeVersion = to.kubeVersion ?? versionWith(mode, from.kubeVersion, report);
  const after = compileOtherwise(from, { mode, kubeVersion }, report);
  return after && { from, to: after };
}

/** The version of the dump, or the newest if that one lacks the mode. */
function versionWith(mode: Compiled['model']['config']['mode'], own: KubeVersion, report: Report): KubeVersion {
  const heard = checking(() => {});
  reportVersion(own, mode, heard.report);
  if (!heard.hasErrors()) return own;
  const newest = newestVersion();
  report({
    code: 'other-version',
    severity: 'warning',
    message: `kube-proxy ${formatKubeVersion(own)}, which wrote the dump, has no ${mode} mode that is known: the rules are those of ${formatKubeVersion(newest)}`,
    at: [],
    hint: '--kube-version chooses another',
  });
  return newest;
}
