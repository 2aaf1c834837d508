import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeJson, escapeText } from '../../src/common/text/escapeText.ts';

test('what a terminal acts on is shown', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain ünïcode 名前 😀', 'plain ünïcode 名前 😀'],
    ['\x1b[31mred\x07', '\\x1b[31mred\\x07'],
    ['a\tb\r\nc\0', 'a\\tb\\r\\nc\\x00'],
    ['\x9b2J\x7f', '\\x9b2J\\x7f'],
    ['\u202eevil\u2066', '\\u202eevil\\u2066'],
    ['in\u200bvisible\ufeff\u00ad', 'in\\u200bvisible\\ufeff\\xad'],
    ['\ud800x', '\\ud800x'],
    ['\u{e0041}', '\\u{e0041}'],
  ];
  for (const [text, escaped] of cases) assert.equal(escapeText(text), escaped);
});

test('JSON stays the same JSON', () => {
  const value = { a: '\x1b\x7f\u202e\u{e0041}\ud800 é 😀', list: [1, '\n'] };
  const escaped = escapeJson(JSON.stringify(value, null, 2));
  assert.doesNotMatch(escaped, /[\x7f\u202e\u{e0041}]/u);
  assert.deepEqual(JSON.parse(escaped), value);
});
