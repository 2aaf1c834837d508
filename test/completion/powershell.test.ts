import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Edit, Language, type Node, Parser, type Tree } from 'web-tree-sitter';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

// The grammar is a few huge functions. To optimize them takes twenty seconds; without that, the script is read in a moment.
setFlagsFromString('--liftoff-only');

// PowerShell itself is no package of Debian: its script is read by the grammar of the language.
it('the script for PowerShell is a sentence of its grammar', async () => {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(
    await Language.load(join(root, 'node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm')),
  );
  const script = runCli(['completion', 'powershell']).stdout;
  const whole = parser.parse(script);
  assert.deepEqual(wrongParts(whole?.rootNode), []);
  // Without any one of its closing brackets it is none.
  for (const { index } of script.matchAll(/[)}\]]/g)) {
    const cut = script.slice(0, index) + script.slice(index + 1);
    const isWrong = parser.parse(cut, without(whole?.copy(), script, index))?.rootNode.hasError === true;
    const isInWord = /['"#]/.test(script.slice(script.lastIndexOf('\n', index), script.indexOf('\n', index)));
    assert.ok(isWrong || isInWord, script.slice(index - 40, index + 5));
  }
});

/** The tree of a text that has lost a character: only what is around it is read again. */
function without(tree: Tree | undefined, text: string, index: number): Tree | undefined {
  const row = text.slice(0, index).split('\n').length - 1;
  const column = index - text.lastIndexOf('\n', index - 1) - 1;
  const [startPosition, oldEndPosition] = [
    { row, column },
    { row, column: column + 1 },
  ];
  tree?.edit(
    new Edit({
      startIndex: index,
      oldEndIndex: index + 1,
      newEndIndex: index,
      startPosition,
      oldEndPosition,
      newEndPosition: startPosition,
    }),
  );
  return tree;
}

function wrongParts(node: Node | undefined): readonly string[] {
  if (node === undefined) return ['nothing was read'];
  const own = node.isError || node.isMissing ? [`${node.startPosition.row + 1}: ${node.text.slice(0, 60)}`] : [];
  return [...own, ...node.children.flatMap((child) => wrongParts(child ?? undefined))];
}
