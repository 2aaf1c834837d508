import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../support/compileCase.ts';

/** Turns of phrase that no native engineer uses, each of which has stood in a message. */
const lost: readonly RegExp[] = [
  /\b(?:is|are) none\b(?! left| at all| here| there|:)/,
  /(?<!\b(?:there|where|which|that) )\b(?:is|are) no (?!longer|more|such|known|later|other|less|need|one\b)[a-z]+ (?:of|for|to)\b/i,
  /\b(?:was|were) told\b|\btold (?:from|by)\b/,
  /\bmended\b/,
  /\bpass(?:es|ed)? over such\b/,
  /\bhas not the\b/,
  /\bwhere they are asked\b/,
  /\bin its one form\b/,
  /\bthere is no an? /,
  /\btells more\b/,
  /\bwhich is no endpoint\b|\bthat is no endpoint\b/,
  /\bis no (?:address|finding|member|report|error)\b/,
];

/** Literals of a source, those of regular expressions and comments left out. */
function* literals(text: string): Iterable<string> {
  for (const line of text.split('\n')) {
    if (/^\s*(?:\*|\/\/|\/\*)/.test(line)) continue;
    for (const [, single, back, double] of line.matchAll(
      /'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"/g,
    )) {
      yield single ?? back ?? double ?? '';
    }
  }
}

it('no message has a phrase that was lost', () => {
  const found: string[] = [];
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    for (const literal of literals(readFileSync(path, 'utf8'))) {
      if (lost.some((phrase) => phrase.test(literal))) found.push(`${path.slice(root.length)}: ${literal}`);
    }
  }
  assert.deepEqual(found, []);
});
