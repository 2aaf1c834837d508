import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openJudge } from '../../src/agent/judge/openJudge.ts';

const request = { node: 'n1', objects: [], files: [], changing: new Set<string>() };

/** A judge whose thread does what is written. */
function judgeBy(t: TestContext, answer: string, limit?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-judge-'));
  const program = join(folder, 'thread.cjs');
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads');\nlet asked = 0;\nparentPort.on('message', () => { asked += 1; ${answer} });\n`,
  );
  const judge = openJudge(program, limit);
  t.after(async () => {
    await judge.close();
    rmSync(folder, { recursive: true });
  });
  return async () => {
    const judgement = await judge.ask(request);
    return judgement.kind === 'undecided' ? judgement.why : Number(judgement.mode);
  };
}

test('one thread answers one request after the other', async (t) => {
  const ask = judgeBy(t, "parentPort.postMessage({ kind: 'judged', mode: String(asked) })");
  assert.deepEqual([await ask(), await ask(), await ask()], [1, 2, 3]);
});

test('a thread that ends, fails or hangs is an answer, and another one takes its place', async (t) => {
  const ends = judgeBy(t, 'process.exit(0)');
  assert.match(String(await ends()), /its thread ended/);
  assert.match(String(await ends()), /its thread ended/);
  const fails = judgeBy(t, "throw new Error('no memory')");
  assert.match(String(await fails()), /no memory/);
  assert.match(String(await fails()), /no memory/);
  const hangs = judgeBy(t, '', 50);
  assert.match(String(await hangs()), /no answer within 0\.05 s/);
});
