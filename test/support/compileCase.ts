import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetOptions } from '../../src/cli/options/targetOptions.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import type { Artefact } from '../../src/output/artefact.ts';
import { artefacts } from '../../src/output/artefacts.ts';
import { checkObjects } from '../../src/pipeline/checkObjects.ts';
import { type Compiled, compileChecked } from '../../src/pipeline/compile.ts';
import type { Manifests } from '../../src/validate/kinds/manifests.ts';
import { targetFlags } from './targetFlags.ts';

export const root = join(import.meta.dirname, '../..');

/** What a test looks at: every artefact by name, and what was said. */
export interface CaseResult {
  readonly compiled: Compiled | undefined;
  /** The objects, if nothing is wrong with them. */
  readonly manifests: Manifests | undefined;
  readonly artefacts: ReadonlyMap<string, Artefact>;
  readonly diagnostics: readonly Diagnostic[];
  /** The whole text of an artefact; empty if there is none. */
  readonly text: (name: string) => string;
}

/** Compiles files as the command line does, without a process. `args` are target options as a shell would split them. */
export async function compileFiles(files: readonly string[], args: readonly string[]): Promise<CaseResult> {
  const flags = targetFlags(args);
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const { objects } = await load(files, { recursive: false }, report);
  const config = flags.config ? await load([flags.config], { recursive: false }, report) : { objects: [] };
  const input = {
    objects,
    configObjects: config.objects,
    target: targetOptions(flags),
    kubeVersion: flags.kubeVersion,
  };
  const checked = checkObjects(input, report);
  const compiled = checked && compileChecked(checked, input, report);
  const made = compiled === undefined ? [] : await artefacts(compiled, { hasNfacct: flags.nfacct }, report);
  const byName = new Map(made.map((artefact) => [artefact.name, artefact]));
  return {
    compiled,
    manifests: checked?.manifests,
    artefacts: byName,
    diagnostics,
    text: (name) => [...(byName.get(name)?.text() ?? [])].join(''),
  };
}

/**
 * Compiles `fixtures/<folder>`: its manifests, its config.yaml and its args, with what a test adds. The services were
 * recorded from kube-proxy 1.30.
 */
export async function compileCase(folder: string, ...further: readonly string[]): Promise<CaseResult> {
  const at = (name: string) => join(root, 'fixtures', folder, name);
  const manifests = [at('manifests.yaml'), at('manifest.yaml')].filter((file) => existsSync(file));
  const config = existsSync(at('config.yaml')) ? ['--config', at('config.yaml')] : [];
  const args = readFileSync(at('args'), 'utf8').trim().split(/\s+/);
  const version = folder.startsWith('services/') ? ['--kube-version', '1.30'] : [];
  return compileFiles(manifests, [...args, ...config, '--no-allocate', ...version, ...further]);
}
