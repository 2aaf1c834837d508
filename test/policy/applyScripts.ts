import assert from 'node:assert/strict';
import { type NodeFilesOptions, nodeFiles } from '../../src/output/nodeFiles.ts';
import { compileFiles } from '../support/compileCase.ts';

/** What --out-dir would write for files: the scripts, and every text by its name. */
export async function applyScripts(files: readonly string[], ...args: readonly string[]) {
  return scriptsWith({}, files, ...args);
}

/** The same with options of policies: `{ isPolicyOnly: true }`. */
export async function scriptsWith(
  { policy, ...options }: Partial<NodeFilesOptions>,
  files: readonly string[],
  ...args: readonly string[]
) {
  const { compiled, diagnostics } = await compileFiles(files, args);
  if (compiled === undefined) assert.fail(diagnostics.map(({ message }) => message).join('\n'));
  const settings = { backend: undefined, node: compiled.model.node.name, ...policy };
  const { all } = await nodeFiles(
    compiled,
    { hasNfacct: false, isPolicyOnly: false, ...options, policy: settings },
    () => undefined,
  );
  const texts = new Map(all.map(({ name, text }) => [name, [...text()].join('')]));
  return { texts, apply: texts.get('apply.sh') ?? '', policy: texts.get('policy.sh') ?? '' };
}
