import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

// PowerShell itself is no package of Debian: its script is read by the grammar of the language.
it('the script for PowerShell is a sentence of its grammar', async () => {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(
    await Language.load(join(root, 'node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm')),
  );
  const script = runCli(['completion', 'powershell']).stdout;
  assert.deepEqual(wrongParts(parser.parse(script)?.rootNode), []);
  // Without any one of its closing brackets it is none.
  for (const { index } of script.matchAll(/[)}\]]/g)) {
    const cut = script.slice(0, index) + script.slice(index + 1);
    const isWrong = parser.parse(cut)?.rootNode.hasError === true;
    const isInWord = /['"#]/.test(script.slice(script.lastIndexOf('\n', index), script.indexOf('\n', index)));
    assert.ok(isWrong || isInWord, script.slice(index - 40, index + 5));
  }
});

function wrongParts(node: Node | undefined): readonly string[] {
  if (node === undefined) return ['nothing was read'];
  const own = node.isError || node.isMissing ? [`${node.startPosition.row + 1}: ${node.text.slice(0, 60)}`] : [];
  return [...own, ...node.children.flatMap((child) => wrongParts(child ?? undefined))];
}
