import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localService } from '../support/localService.ts';
import { runCli } from '../support/runCli.ts';

/** Through 1.24 kube-proxy marks what the kubelet drops: compiled rules alone would let it through. */

const asked = ['-f', '-', '--node', 'n1', '-q'];

function run(words: readonly string[]): string {
  const { stdout, stderr } = runCli(words, { input: localService });
  assert.notEqual(stdout, '', stderr);
  return stdout;
}

describe('manifests without a dump, through 1.24', () => {
  for (const version of ['1.10', '1.20', '1.24']) {
    it(`${version}: a node port without an endpoint on the node drops, in the kubelet's chain`, () => {
      const packet = ['--from', '203.0.113.7', '--to', '192.168.1.1:30080'];
      const text = run(['trace', ...asked, '--kube-version', version, ...packet]);
      assert.match(text, /INPUT +filter +INPUT #1 → KUBE-FIREWALL #1 DROP/);
      assert.match(text, /^=> dropped$/m);
    });
  }

  for (const version of ['1.16', '1.20', '1.24']) {
    it(`${version}: IPVS mode drops what is in none of the source ranges, as the address is the node's own`, () => {
      const packet = ['--from', '203.0.113.7', '--to', '203.0.113.50:80'];
      assert.match(
        run(['trace', ...asked, '--kube-version', version, '--mode', 'ipvs', ...packet]),
        /KUBE-FIREWALL #1 DROP.*\n=> dropped$/m,
      );
    });
  }

  it('what is only forwarded goes on', () => {
    const packet = ['--from', '203.0.113.7', '--to', '203.0.113.50:80'];
    assert.match(run(['trace', ...asked, '--kube-version', '1.20', ...packet]), /^=> leaves by eth0/m);
  });

  it('the rules that compile writes are those of kube-proxy alone', () => {
    assert.doesNotMatch(run(['compile', ...asked, '--kube-version', '1.20']), /KUBE-FIREWALL/);
  });

  it('a later version drops the same packets at the node port: nothing changes there', () => {
    const text = run(['migrate', ...asked, '--kube-version', '1.24', '--to-version', '1.30']);
    assert.doesNotMatch(text, /Node port:/);
  });
});
