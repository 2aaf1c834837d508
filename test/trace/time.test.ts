import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeHolds } from '../../src/walk/ask/timeHolds.ts';
import { runCli } from '../support/runCli.ts';

/** `-m time`, and `--at` with a point in time. 2026-11-22 is a Sunday. */
const tests: readonly (readonly [options: string, at: string, holds: boolean | undefined])[] = [
  ['timestart 08:00:00 timestop 18:00:00', '2026-11-22T08:00:00Z', true],
  ['timestart 08:00:00 timestop 18:00:00', '2026-11-22T18:00:00Z', true],
  ['timestart 08:00:00 timestop 18:00:00', '2026-11-22T18:00:01Z', false],
  ['timestart 22:00:00 timestop 06:00:00', '2026-11-22T23:00:00Z', true],
  ['timestart 22:00:00 timestop 06:00:00', '2026-11-22T05:00:00Z', true],
  ['timestart 22:00:00 timestop 06:00:00', '2026-11-22T12:00:00Z', false],
  ['timestart 22:00:00 timestop 06:00:00 weekdays Sat', '2026-11-22T05:00:00Z', false],
  ['timestart 22:00:00 timestop 06:00:00 weekdays Sat contiguous -', '2026-11-22T05:00:00Z', true],
  ['weekdays Mon,Tue', '2026-11-22T05:00:00Z', false],
  ['!weekdays Mon,Tue', '2026-11-22T05:00:00Z', true],
  ['monthdays 1,22', '2026-11-22T05:00:00Z', true],
  ['!monthdays 22', '2026-11-22T05:00:00Z', false],
  ['datestart 2026-11-22T06:00:00', '2026-11-22T05:00:00Z', false],
  ['datestop 2026-11-22T06:00:00', '2026-11-22T05:00:00Z', true],
  // Only the node knows its time zone.
  ['timestart 08:00:00 kerneltz -', '2026-11-22T08:00:00Z', undefined],
];

describe('rules that ask for the time', () => {
  for (const [text, at, holds] of tests) {
    it(`${text} at ${at}`, () => {
      const words = text.split(' ');
      const options = new Map<string, string>();
      for (let place = 0; place < words.length; place += 2) {
        options.set((words[place] ?? '').replace('!', '! '), words[place + 1] ?? '');
      }
      assert.equal(timeHolds(options, new Date(at)), holds);
    });
  }

  it('are answered with --at, and else are not known', () => {
    const rules =
      '*filter\n:FORWARD ACCEPT [0:0]\n-A FORWARD -m time --timestart 08:00:00 --timestop 18:00:00 -j DROP\nCOMMIT\n';
    const trace = (...more: readonly string[]) =>
      runCli(['trace', '-', '--from', '203.0.113.7', '--to', '10.1.0.5:80', '-q', ...more], { input: rules });
    assert.match(trace().stdout, /unknown: -m time, without --at/);
    const [day, night] = [trace('--at', '2026-11-22T12:00:00Z'), trace('--at', '2026-11-22T20:00:00+01:00')];
    assert.match(day.stdout, /=> dropped/);
    assert.equal(day.status, 1);
    assert.match(night.stdout, /=> leaves/);
    assert.equal(night.status, 0);
    const refused = trace('--at', 'noon');
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /--at noon: write how long after the dump \(\+3h\), or a time with its zone/);
  });
});
