import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const text = readFileSync(
  join(root, 'golden/recorded/services/lb-etp-local-source-ranges/iptables/iptables.v4.save'),
  'utf8',
);
const split = (where: string, input = text) => {
  const { status, stdout } = runCli(['split', where, '-'], { input });
  return { status, lines: stdout.split('\n').slice(0, -1) };
};

describe('split of connections that no rule shares', () => {
  it('says which port the Service has', () => {
    const { status, lines } = split('10.96.113.9:1194');
    assert.equal(status, 0);
    assert.match(lines[0] ?? '', /^default\/vpn at 10\.96\.113\.9 has no port 1194\/tcp; it has 1194\/udp\./);
    assert.match(lines[1] ?? '', /^10\.96\.113\.9:1194 +1 +100\.00 %$/);
  });

  it('says that no rule has the address', () => {
    assert.match(split('10.1.1.1:80').lines[0] ?? '', /^No rule of this node has the address 10\.1\.1\.1,/);
  });

  it('is not decided where the dump lost the rule', () => {
    const { status, lines } = split(
      '10.96.113.9:1194/udp',
      text.replace(/^(-A KUBE-SERVICES -d 10\.96\.113\.9.* cluster IP)".*/m, '$1'),
    );
    assert.equal(status, 3);
    assert.match(
      lines[0] ?? '',
      /^The dump shows a part of the table nat, and no rule for 10\.96\.113\.9:1194\/udp in it/,
    );
  });

  it('has no words before the shares where rules share them', () => {
    const { status, lines } = split('10.96.113.9:1194/udp');
    assert.equal(status, 0);
    assert.equal(lines.length, 3);
    assert.ok(lines.every((line) => / 33\.33 % /.test(line)));
  });
});
