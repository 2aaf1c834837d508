import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { canonicalDump } from '../../src/diff/canonicalDump.ts';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { readDumps } from '../../src/diff/read/readDumps.ts';
import { renderReportText } from '../../src/diff/report/renderReportText.ts';
import { plainReportStyle } from '../../src/diff/report/reportStyle.ts';
import { loadWordDiff } from '../../src/diff/report/wordDiff.ts';
import { root } from '../support/compileCase.ts';

const names = [
  'iptables-save-nft.txt',
  'iptables-L-nat-nft.txt',
  'nft-list-ruleset.txt',
  'nft-j-list-ruleset.txt',
  'ipset-save.txt',
  'ipvsadm-Sn.txt',
  'ipvsadm-Ln.txt',
];
const seeds = names.map((name) => readFileSync(join(root, 'fixtures/diff/captures', name), 'latin1'));
const context = { locate: () => undefined, style: plainReportStyle } as never;

it('bytes changed anywhere in a dump neither stop nor hang reading, diagnosis and comparison', async () => {
  const wordDiff = await loadWordDiff();
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('byte', 'cut', 'copy', 'escape'),
    value: fc.integer({ min: 0, max: 255 }),
  });
  fc.assert(
    fc.property(fc.nat(names.length - 1), fc.array(change, { minLength: 1, maxLength: 60 }), (which, changes) => {
      const source = seeds[which] as string;
      let text = source;
      for (const { at, kind, value } of changes) {
        const place = Math.floor(at * text.length);
        const put =
          kind === 'byte'
            ? String.fromCharCode(value)
            : kind === 'escape'
              ? '\x1b[2J\x07'
              : kind === 'copy'
                ? text.slice(place, place + value)
                : '';
        text = text.slice(0, place) + put + text.slice(place + (kind === 'cut' ? value : kind === 'byte' ? 1 : 0));
      }
      const dump = readDumps([{ name: 'a', text }], { name: 'a' });
      const whole = readDumps([{ name: 'b', text: source }], { name: 'b' });
      for (const piece of canonicalDump(dump)) assert.equal(typeof piece, 'string');
      for (const report of [diagnoseDump(dump), diffDumps(whole, dump, { level: 'rules', hasForeign: true })]) {
        const printed = [...renderReportText(report, context, wordDiff)].join('');
        assert.ok(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(printed));
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
  );
});
