import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortMessage } from '../../src/common/text/shortMessage.ts';
import { runCli } from '../support/runCli.ts';

describe('a message that quotes something long', () => {
  const name = 'x'.repeat(5000);

  it('keeps what stands before and behind it', () => {
    assert.equal(
      shortMessage(`cannot read ${name}: no such file`).replace(/x+…x+/, 'X'),
      'cannot read X: no such file',
    );
    const blanks = shortMessage(`cannot read ${'a b '.repeat(900)}: no such file`);
    assert.match(blanks, /^cannot read a b .*…a b .*: no such file$/);
    assert.ok(blanks.length <= 501);
  });

  it('stays as it is where it is short, whatever its words', () => {
    const text = `cannot read ${'x'.repeat(300)}: no such file`;
    assert.equal(shortMessage(text), text);
  });

  it('is told with its reason', () => {
    const { stderr } = runCli(['doctor', `/nowhere/${name}`]);
    assert.match(stderr, /^error cannot-read: cannot read \/nowhere\/x{10,50}…x+: the name is too long$/m);
    const { stderr: asked } = runCli(['why', 'fixtures/first/dump.txt', '--from', name, '--to', '10.96.0.10:53']);
    assert.match(asked, /--from x+…x+: give an address, a Pod/);
  });
});
