import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';

/** `--service` and `--annotate` of `compile` and `canon`. */
const compile = 'compile -q -f fixtures/annotate/cluster.yaml --node n1 --family ipv4 --kube-version 1.33';

function run(args: string, input?: string) {
  return runCli(args.split(' '), input === undefined ? {} : { input });
}

describe('rules of one Service', () => {
  for (const [name, args] of [
    ['iptables', '--service shop/web --annotate'],
    ['iptables-port', '--service shop/web:http'],
    ['iptables-no-endpoints', '--service shop/db --annotate'],
    ['nftables', '--mode nftables --service shop/web --annotate'],
    ['ipvs', '--mode ipvs --service shop/web --annotate'],
    ['ipvs-no-endpoints', '--mode ipvs --service shop/db'],
    ['nftables-no-endpoints', '--mode nftables --service shop/db'],
  ] as const) {
    it(`${name}: ${args}`, () => {
      const { status, stdout, stderr } = run(`${compile} ${args}`);
      assert.equal(status, 0, stderr);
      assertGolden(`annotate/${name}.txt`, stdout);
    });
  }

  for (const mode of ['iptables', 'nftables']) {
    it(`canon prints of a dump what compile prints: ${mode}`, () => {
      const dump = run(`${compile} --mode ${mode}`).stdout;
      const own = (text: string) =>
        text
          .split('\n')
          .filter((line) => line.includes('shop/web:http') || line.includes('#'))
          .sort();
      const asked = '--service shop/web:http --annotate';
      const found = run(`canon - -q ${asked}`, dump);
      assert.equal(found.status, 0, found.stderr);
      assert.deepEqual(own(found.stdout), own(run(`${compile} --mode ${mode} ${asked}`).stdout));
      assert.ok(!found.stdout.includes('shop/db'));
    });
  }

  for (const [args, message] of [
    ['--service shop/wbe', /did you mean shop\/web\?/],
    ['--service shop/web:htp', /its ports are shop\/web:http/],
    ['--mode ipvs --service shop/web:htp', /its ports are shop\/web:http/],
    ['--annotate', /--annotate needs --service/],
    ['--service shop/web -o script', /does not go with --output/],
  ] as const) {
    it(`refuses ${args}`, () => {
      const { status, stdout, stderr } = run(`${compile} ${args}`);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    });
  }

  it('leaves out what IPVS mode has for other Services, and says of dumps that they name none', () => {
    const { stdout } = run(`${compile} --mode ipvs --service shop/db`);
    assert.match(stdout, /^add KUBE-CLUSTER-IP 10\.96\.0\.\d+,tcp:5432$/m);
    assert.doesNotMatch(stdout, /203\.0\.113\.9|KUBE-LOAD-BALANCER|10\.96\.0\.10/);
    const dump = run('canon fixtures/trace/ipvs-nodeport -q --service shop/web');
    assert.equal(dump.status, 2);
    assert.match(dump.stderr, /not found in the dumps/);
  });

  it('keeps hostile names inside their comment', () => {
    const dump = `*nat\n:KUBE-SERVICES - [0:0]\n-A PREROUTING -j KUBE-SERVICES\n-A KUBE-SERVICES -i "a\u001b[31m" -m comment --comment "shop/web cluster IP" -j KUBE-SVC-\u001b[2J\nCOMMIT\n`;
    const { stdout } = run('canon - -q --service shop/web --annotate', dump);
    assert.match(stdout, /^# Packets in by a/m);
    assert.ok(!stdout.includes('\u001b'));
  });
});
