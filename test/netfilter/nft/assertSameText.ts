import assert from 'node:assert/strict';

/** Compares texts of many lines and names the first line that differs: assert's own difference takes minutes on them. */
export function assertSameText(actual: string, expected: string): void {
  if (actual === expected) {
    return;
  }
  const [ours, theirs] = [actual.split('\n'), expected.split('\n')];
  const at = theirs.findIndex((line, index) => line !== ours[index]);
  const line = at < 0 ? theirs.length : at;
  assert.fail(`line ${line + 1} is\n  ${ours[line]}\nand should be\n  ${theirs[line]}`);
}
