import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { diffNodes } from '../../src/diff/diffNodes.ts';
import { readDumps } from '../../src/dump/readDumps.ts';

const read = (lines: readonly string[], name = 'node') =>
  readDumps([{ name, text: lines.join('\n') }], { name, family: 'ipv4' });
const options = { level: 'rules', hasForeign: false } as const;

describe('a rule in front of kube-proxy’s', () => {
  const nat = (...before: readonly string[]) => [
    '*nat',
    ':PREROUTING ACCEPT [0:0]',
    ':KUBE-SERVICES - [0:0]',
    ...before,
    '-A PREROUTING -j KUBE-SERVICES',
    '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp --dport 443 -j KUBE-SVC-AAAAAAAAAAAAAAAA',
    'COMMIT',
  ];
  const redirect = '-A PREROUTING -p tcp -m tcp --dport 443 -j REDIRECT --to-ports 1';

  it('is named where the newer dump alone has it', () => {
    const found = (before: readonly string[], after: readonly string[]) =>
      diffDumps(read(before), read(after), options).findings.map(
        ({ code, found: [place] }) => `${code} ${place?.line}`,
      );
    assert.deepEqual(found(nat(), nat(redirect)), ['K8N606 4']);
    assert.deepEqual(found(nat(redirect), nat(redirect)), []);
    assert.deepEqual(found(nat(redirect), nat()), []);
  });

  it('is named for the node that has it', () => {
    const nodes = [read(nat(), 'a'), read(nat(redirect), 'b'), read(nat(), 'c')];
    const { findings } = diffNodes(nodes, options);
    assert.deepEqual(
      findings.map(({ code, found: [place] }) => `${code} ${place?.file}`),
      ['K8N606 b'],
    );
  });
});

describe('ipvsadm alone', () => {
  const servers = ['-A -t 10.96.0.1:443 -s rr', '-a -t 10.96.0.1:443 -r 192.0.2.1:6443 -m -w 1'];

  it('counts virtual servers and names those without real servers', () => {
    const healthy = diagnoseDump(read(servers));
    assert.deepEqual([healthy.summary.services, healthy.findings], [1, []]);
    const { summary, findings } = diagnoseDump(read([...servers, '-A -u 10.96.0.10:53 -s rr']));
    assert.equal(summary.services, 2);
    assert.deepEqual(
      findings.map(({ code, what }) => `${code} ${what}`),
      ['K8N501 1 virtual server has no real server: 10.96.0.10:53/udp'],
    );
  });

  it('shows a real server that went', () => {
    const more = [...servers, '-a -t 10.96.0.1:443 -r 192.0.2.2:6443 -m -w 1'];
    const { changes } = diffDumps(read(more), read(servers), options);
    assert.deepEqual(
      changes.map(({ chain, expected, found }) => [chain, expected, found]),
      [['10.96.0.1:443/tcp', 'server 192.0.2.2:6443 masquerade weight 1', undefined]],
    );
  });
});
