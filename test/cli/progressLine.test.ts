import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { progressLine } from '../../src/cli/write/progressLine.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) > 0 } };
}

test('a line is said once a second has passed, anew at times, and taken away', () => {
  const { written, stream } = terminal(true);
  let now = 0;
  const clock = mock.method(performance, 'now', () => now);
  const line = progressLine('destination', false, stream as never);
  for (now = 0; now <= 1500; now += 100) line.report(now, 3000);
  line.end();
  clock.mock.restore();
  assert.deepEqual(written, [
    '\r\u001b[K1000 of 3000 destinations',
    '\r\u001b[K1200 of 3000 destinations',
    '\r\u001b[K1400 of 3000 destinations',
    '\r\u001b[K',
  ]);
});

test('nothing is written where it is over within the second, where nobody looks, and where nobody wants it', () => {
  for (const [isTTY, isQuiet, last] of [
    [true, false, 900],
    [false, false, 5000],
    [true, true, 5000],
  ] as const) {
    const { written, stream } = terminal(isTTY);
    let now = 0;
    const clock = mock.method(performance, 'now', () => now);
    const line = progressLine('destination', isQuiet, stream as never);
    for (now = 0; now <= last; now += 100) line.report(now, last);
    line.end();
    clock.mock.restore();
    assert.deepEqual(written, []);
  }
});
