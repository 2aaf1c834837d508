import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { escapeText } from '../../../src/common/text/escapeText.ts';
import { diagnoseDump } from '../../../src/diff/diagnoseDump.ts';
import { plainCharacters } from '../../../src/dump/paste/plainCharacters.ts';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { factChecks } from '../../../src/findings/checks/node/factChecks.ts';
import { compileCase, root } from '../../support/compileCase.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';

const folder = join(root, 'fixtures/diff/facts');
const seeds = readdirSync(folder).map((name) => {
  const kind = name.startsWith('bridge') ? 'bridge' : name.includes('conntrack') ? 'conntrack' : 'routes';
  return { kind, text: readFileSync(join(folder, name), 'latin1') } as const;
});
const rules = readFileSync(
  join(root, 'golden/recorded/services/realistic-kube-system/iptables/iptables.v4.save'),
  'utf8',
);

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  put: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) },
    fc.constantFrom(
      '\x1b[2J\x07',
      '\u202e',
      '\n',
      ' ',
      '=',
      '[UNREPLIED]',
      'dst=10.96.0.10',
      'hairpin off',
      '10.96.0.10',
      '',
    ),
  ),
  taken: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.nat(200)),
});

it(`bytes changed anywhere in facts neither stop what reads them nor get into reports (seed ${seed})`, async () => {
  const { compiled } = await compileCase('services/realistic-kube-system', '--mode', 'iptables');
  assert.ok(compiled);
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(change, { minLength: 1, maxLength: 60 }),
      fc.boolean(),
      ({ kind, text: source }, changes, isTold) => {
        let text = source;
        for (const { at, put, taken } of changes) {
          const place = Math.floor(at * text.length);
          text = text.slice(0, place) + put + text.slice(place + taken);
        }
        const files = [
          { name: 'rules', text: rules },
          isTold ? { name: 'facts', text, kind } : { name: 'facts', text },
        ];
        const dump = readDumps(files, { name: 'node' });
        const plain = plainCharacters(text);
        for (const { file, line, text: shown } of dump.unread) {
          assert.ok(plain.split('\n')[line - 1]?.startsWith(shown) || line === 0, `${file}:${line}: ${shown}`);
        }
        for (const { what, why, fix } of [...factChecks(compiled, dump), ...diagnoseDump(dump).findings]) {
          for (const words of [what, why, fix]) assert.equal(escapeText(words), words);
          for (const [, command = ''] of fix.matchAll(/`((?:conntrack|bridge) [^`]*)`/g)) {
            assert.match(command, /^[\w.: -]+$/);
          }
        }
      },
    ),
    { seed, numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
  );
});
