import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { buildTests } from '../buildTests.ts';
import type { Mutant } from './mutant.ts';
import { writeMutated } from './writeMutated.ts';

const root = join(import.meta.dirname, '../..');

/** A copy of the project whose sources have all mutants in them, with its tests built. */
export interface ScratchProject {
  readonly folder: string;
  /** Where the built tests are, under the names of their sources. */
  readonly built: string;
}

/** Everything is built once, with all mutants in it: the environment says which one is on. It goes with this process. */
export async function scratchProject(mutants: readonly Mutant[], tests: readonly string[]): Promise<ScratchProject> {
  const folder = mkdtempSync(join(root, 'dist-test-mutants-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(root)) {
    if (copied.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
    else if (!/^(?:\.git|dist)/.test(name)) symlinkSync(join(root, name), join(folder, name));
  }
  cpSync(join(import.meta.dirname, 'switch.ts'), join(folder, switchFile));
  const numbered = mutants.map((mutant, id) => ({ mutant, id }));
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const own = numbered.filter(({ mutant }) => mutant.file === file);
    const path = relative(dirname(file), switchFile);
    const imports = `import { k8snetIs, k8snetOther } from '${path.startsWith('.') ? path : `./${path}`}';`;
    writeFileSync(join(folder, file), imports + writeMutated(readFileSync(join(root, file), 'utf8'), own));
  }
  const built = join(folder, 'dist-test');
  mkdirSync(built);
  const builder = (await import(join(folder, 'scripts/buildTests.ts'))) as { readonly buildTests: typeof buildTests };
  await builder.buildTests(tests, built);
  return { folder, built };
}

/** The rest is linked: nothing of it is changed. */
const copied: ReadonlySet<string> = new Set(['src', 'test', 'scripts']);

const switchFile = 'src/common/mutantSwitch.ts';
