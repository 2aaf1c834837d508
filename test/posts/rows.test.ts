import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Ended } from '../support/runCli.ts';
import { runMany } from '../support/runMany.ts';
import { type Claim, readReasons, readRows, rowsFolder } from './readRows.ts';

/** How many rows the posts have, by the letter of the section. */
const counts = { S: 25, T: 15, P: 22, V: 12, C: 22, A: 8, D: 22, I: 8, N: 19, R: 20, G: 18, X: 21 };

const rows = readRows();
const isBlock = (id: string) => /^\d{3}-\d\d$/.test(id);
const blockFiles = readdirSync(join(rowsFolder, 'blocks')).sort();
const idOf = (file: string) => file.slice(0, 6);

describe('rows and code blocks of the posts, each by its command', () => {
  const ended = runMany(
    rows.map(({ command }) => command.split(' ')),
    rowsFolder,
  );
  for (const [index, { id, command, status, claims, at }] of rows.entries()) {
    it(`${id}: ${command} (${at})`, () => {
      const run = ended[index] as Ended;
      const all = run.stdout + run.stderr;
      assert.equal(run.status, status, all);
      assert.doesNotMatch(all, /undefined|\[object|NaN|bug of k8snet/);
      assert.ok(claims.some(({ kind }) => kind !== 'lacks'));
      for (const claim of claims) assertClaim(claim, run);
    });
  }
});

describe('what the posts have', () => {
  it('every row is tried, or has a reason why nothing can be computed of it', () => {
    const all = Object.entries(counts).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
    );
    const tried = new Set(rows.map(({ id }) => id).filter((id) => !isBlock(id)));
    assertParted(all, tried, readReasons('prose.txt'));
  });

  it('every code block is given to a command or is what one prints, or has a reason', () => {
    const used = rows.flatMap(({ command, claims }) => [command, ...claims.map(({ text }) => text)]).join(' ');
    const tried = new Set(blockFiles.filter((file) => used.includes(file)).map(idOf));
    for (const { id } of rows) if (isBlock(id)) tried.add(id);
    assertParted(blockFiles.map(idOf), tried, readReasons('blocks.txt'));
  });

  it('a code block with a reason is refused in a sentence by whatever reads files', () => {
    const files = blockFiles.filter((file) => readReasons('blocks.txt').has(idOf(file)));
    const commands = files.flatMap((file) => [
      ['lint', '-f', `blocks/${file}`],
      ['doctor', `blocks/${file}`],
    ]);
    for (const [index, { status, stdout, stderr }] of runMany(commands, rowsFolder).entries()) {
      assert.equal(status, 2, commands[index]?.join(' '));
      assert.match(stdout + stderr, /^(?:error|.*:\d+:\d+ error) [a-z-]+: \S+ /m);
    }
  });
});

/** Every name is on one of both sides, and no other name is. */
function assertParted(all: readonly string[], tried: ReadonlySet<string>, reasons: ReadonlyMap<string, string>): void {
  assert.deepEqual(
    [...tried].filter((id) => reasons.has(id)),
    [],
  );
  assert.deepEqual([...tried, ...reasons.keys()].sort(), [...all].sort());
  for (const [id, reason] of reasons) assert.ok(reason.length > 10, id);
}

function assertClaim({ kind, text }: Claim, { stdout, stderr }: Ended): void {
  const all = stdout + stderr;
  if (kind === 'holds') assert.ok(spaced(all).includes(spaced(text)), `${text}\nis not in\n${all}`);
  else if (kind === 'lacks') assert.ok(!spaced(all).includes(spaced(text)), `${text}\nis in\n${all}`);
  else if (kind === 'matches') assert.match(all, new RegExp(text, 'm'));
  else if (kind === 'output') assert.equal(stdout.trimEnd(), read(text).trimEnd());
  else assertLines(linesOf(read(text)), linesOf(stdout), kind === 'order');
}

/** `isOrdered`: one behind the other too, with others between them. */
function assertLines(expected: readonly string[], actual: readonly string[], isOrdered: boolean): void {
  assert.ok(expected.length > 0);
  let from = 0;
  for (const line of expected) {
    const place = actual.indexOf(line, isOrdered ? from : 0);
    assert.ok(place >= 0, `${line}\nis not in\n${actual.slice(from).join('\n')}`);
    from = isOrdered ? place + 1 : 0;
  }
}

/** Lines as a program prints them: without prompts, remarks and ellipses of the post, and with folded lines made one. */
function linesOf(text: string): readonly string[] {
  return text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !/^(?:$|\*|:|#|\.\.\.|COMMIT|.*[#$] |apt )/.test(line));
}

function read(path: string): string {
  return readFileSync(join(rowsFolder, path), 'utf8');
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
