import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** What `why` says first of nodes that somebody damaged, or that were shown in part: exit status and the first line. */

const firstAid = (file: string) => join(root, 'fixtures/first-aid', file);
const cluster = ['-f', firstAid('cluster.json'), '--node', 'worker-1'];
const toWeb = ['--from', 'shop/web-0', '--to', 'shop/web:http'];

const asked: readonly (readonly [what: string, args: readonly string[], status: number, says: RegExp])[] = [
  [
    'an endpoint that the cluster does not have',
    ['stale.save', ...cluster, ...toWeb],
    1,
    /^1\/3 \(33\.33 %\) of the connections fail: The rules send it to 10\.244\.2\.88:8080, which is not an endpoint of shop\/web:http/,
  ],
  ['the node as it should be', ['base.save', ...cluster, ...toWeb], 0, /^It arrives, and the answer comes back/],
  [
    'an address on the internet',
    ['base.save', ...cluster, '--from', 'shop/web-0', '--to', '8.8.8.8:53', '--proto', 'udp'],
    0,
    /^It arrives/,
  ],
  [
    'an address that may be a lost external IP',
    ['base.save', '--from', '10.244.1.3', '--to', '203.0.113.99:80'],
    3,
    /Which of them is unknown\.$/,
  ],
  [
    'an address among the cluster IPs',
    ['base.save', '--from', '10.244.1.3', '--to', '10.103.99.99:80'],
    1,
    /^No rule of this node has the address 10\.103\.99\.99/,
  ],
  ['a node port on localhost', ['base.save', '--from', 'node', '--to', '127.0.0.1:30080'], 0, /^It arrives/],
  [
    'a Pod on a bridge whose ports are not told apart',
    ['base.save', ...cluster, '--bridge', firstAid('br.txt'), ...toWeb],
    3,
    /is unknown: hairpin mode is off on the bridge port veth1a2b/,
  ],
  [
    'policies of Calico, without interfaces',
    ['n-calico-legacy.save', '--from', '10.244.1.7', '--to', '10.96.0.1:443'],
    3,
    /^Calico's rules decide .* is unknown\.$/,
  ],
  [
    'a lost MASQUERADE',
    ['B.save', ...cluster, ...toWeb],
    1,
    /asks itself .* KUBE-POSTROUTING does not do it: .*K8N410/,
  ],
  [
    'a node port that moved',
    ['D.save', ...cluster, '--from', 'outside', '--to', '192.168.10.11:30080'],
    1,
    /^30080\/tcp is no node port on this node: 30081 answers for shop\/web:http\.$/,
  ],
  [
    'a REJECT of all that comes in',
    ['I2.save', ...cluster, '--from', 'outside', '--to', '192.168.10.11:30080'],
    1,
    /filter FORWARD rejects it/,
  ],
  [
    'a DROP of one endpoint',
    ['M.save', ...cluster, '--from', 'shop/web-1', '--to', 'shop/web:http'],
    1,
    /^1\/3 \(33\.33 %\) of the connections fail: .*filter FORWARD drops it/,
  ],
  [
    'a REDIRECT of the port',
    ['M4.save', ...cluster, '--from', 'shop/web-1', '--to', 'shop/web:http'],
    1,
    /nat PREROUTING sends it to 192\.168\.10\.11:15001/,
  ],
  [
    'a network of Services taken out of tracking',
    ['M3.save', ...cluster, '--from', 'shop/web-1', '--to', 'shop/web:http'],
    1,
    /^A rule in raw PREROUTING comes first: it exempts the packet from connection tracking/,
  ],
  [
    'the same, of a node of which nothing else is known',
    ['M3.save', '--from', '10.244.1.3', '--to', '10.103.20.30:80'],
    1,
    /^A rule in raw PREROUTING comes first: it exempts the packet from connection tracking/,
  ],
  [
    'a cluster IP, from outside',
    ['base.save', ...cluster, '--from', 'outside', '--to', 'shop/web:http'],
    1,
    /is a cluster IP: networks outside the cluster have no route for it/,
  ],
  [
    'the same, by an interface that was named',
    ['base.save', ...cluster, '--from', 'outside', '--in', 'eth0', '--to', 'shop/web:http'],
    0,
    /^It arrives/,
  ],
  [
    'a ping of a Service',
    ['base.save', '--from', '10.244.1.3', '--to', '10.103.20.30', '--proto', 'icmp'],
    1,
    /does not answer ping/,
  ],
];

describe('why says first', () => {
  for (const [what, [file = '', ...args], status, says] of asked) {
    it(what, () => {
      const run = runCli(['why', firstAid(file), ...args]);
      assert.match(run.stdout.split('\n')[0] ?? '', says);
      assert.equal(run.status, status, run.stdout);
      if (status === 1) assert.doesNotMatch(run.stdout, /look behind them/);
    });
  }

  it('the same as trace, where the packet does not arrive', () => {
    let count = 0;
    for (const [, [file = '', ...args], status] of asked) {
      if (args.includes('--in') || status === 0) continue;
      const why = JSON.parse(runCli(['why', firstAid(file), ...args, '-o', 'json']).stdout);
      if (why.causes.some(({ id }: { id: string }) => id === 'way-back' || id === 'routing')) continue;
      assert.equal(runCli(['trace', firstAid(file), ...args]).status, status, args.join(' '));
      count += 1;
    }
    assert.ok(count >= 8, `${count} questions`);
  });
});
