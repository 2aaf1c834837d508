import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** Dumps of rules alone, as people paste them: nothing shows addresses and routes of the node. */

const legacy = join(root, 'fixtures/trace/nodeport-legacy/iptables.legacy.v4.save');
const nftMode = join(root, 'fixtures/trace/states-nftmode/nft.txt');
const noEndpoints = join(root, 'fixtures/trace/no-endpoints-iptnft/iptables.nft.v4.save');
const localPolicy = join(root, 'fixtures/trace/etp-local-legacy/iptables.legacy.v4.save');

function why(dump: string, from: string, to: string, ...more: readonly string[]) {
  return runCli(['why', dump, '--from', from, '--to', to, ...more]);
}

describe('packets through a dump of rules alone', () => {
  it('take a Pod for one of this node, so that its answer comes back, and say so', () => {
    const { status, stdout } = why(legacy, '10.244.1.200', '10.96.100.1:80');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^It arrives, and the answer comes back/);
    assert.match(stdout, /^assumed: 10\.244\.1\.200: a Pod of this node, as nothing shows where it is$/m);
    const traced = runCli(['trace', legacy, '--from', '10.244.1.200', '--to', '10.96.100.1:80']);
    assert.doesNotMatch(traced.stdout, /does not come by this node/);
  });

  it('take the address of a node port for one of the node', () => {
    const { status, stdout } = why(legacy, '192.168.10.50', '192.168.10.1:30080');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^assumed: interfaces: lo, and eth0 with 192\.168\.10\.1, as nothing shows them$/m);
    assert.equal(why(nftMode, '192.168.10.50', '192.168.10.1:30080').status, 0);
    const closed = why(nftMode, '192.168.10.50', '192.168.10.1:30999').stdout;
    assert.match(closed, /^No Service has the node port 30999\/tcp on this node\.$/m);
  });

  it('take no address for the node’s that the rules leave out, and no port that is no node port', () => {
    for (const [dump, ...own] of [[nftMode], [legacy, '--node-ip', '192.168.10.1']] as const) {
      const { stdout } = why(dump, '192.168.10.50', '192.168.77.1:30080', ...own);
      assert.match(stdout, /^30080\/tcp is a node port, and 192\.168\.77\.1 is no known address of this node\.$/m);
      assert.doesNotMatch(stdout, /Restart kube-proxy/);
    }
    assert.doesNotMatch(why(legacy, '192.168.10.50', '192.168.10.1:30999').stdout, /eth0 with/);
  });

  it('go to addresses of the node that options name', () => {
    const unknown = why(legacy, '192.168.10.50', 'node:30080');
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /pass it with --node-ip/);
    for (const option of [
      ['--node-ip', '192.168.10.1'],
      ['--node-address', '192.168.10.1/24'],
    ] as const) {
      const { status, stdout } = why(legacy, '192.168.10.50', 'node:30080', ...option);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /eth0 with 192\.168\.10\.1, as given/);
    }
    const reached = runCli(['reach', legacy, '--node-ip', '192.168.10.1', '-o', 'json']);
    assert.match(reached.stdout, /192\.168\.10\.1/);
    assert.doesNotMatch(reached.stdout, /192\.0\.2\.10/);
  });

  it('go to Services by the names that rules have', () => {
    const traced = (dump: string, to: string) => runCli(['trace', dump, '--from', '10.244.1.200', '--to', to]);
    assert.match(traced(legacy, 'default/front:80').stdout, /→ 10\.96\.100\.1:80 /);
    assert.match(traced(nftMode, 'svc/default/front:http').stdout, /→ 10\.96\.\d+\.\d+:80 /);
    assert.match(traced(legacy, 'default/front:nope').stderr, /the Service has no port nope, but http \(80\)/);
    assert.match(traced(legacy, 'default/nobody:80').stderr, /no Pod or Service of this name/);
    const refused = runCli(['why', noEndpoints, '--from', '10.244.1.200', '--to', 'default/c:http']);
    assert.match(refused.stdout, /has no endpoints/);
  });

  it('are of the family that the dump has', () => {
    const dump = join(root, 'fixtures/trace/ipv6-iptnft/iptables.nft.v6.save');
    const { status, stdout, stderr } = why(dump, 'outside', 'node:31520', '--node-ip', 'fd00:10::1');
    assert.equal(status, 0, stdout + stderr);
  });

  it('leave open whether an answer comes back of which nothing shows the way', () => {
    const { status, stdout } = why(localPolicy, '192.168.10.50', '192.168.10.1:31010');
    assert.equal(status, 3, stdout);
    assert.match(
      stdout,
      /^Unknown: .*comes back only if the sender or the endpoint is on this node, and nothing shows that/,
    );
    assert.doesNotMatch(stdout, /cluster CIDR may be too wide/);
  });
});
