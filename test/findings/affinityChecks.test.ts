import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { ladderChecks } from '../../src/findings/checks/chains/ladderChecks.ts';
import { wholeDump } from '../../src/findings/checks/checkScope.ts';

const lookUp = (to: string) =>
  `-A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment "a/b:c" -m recent --rcheck --seconds 10800 --reap --name ${to} --mask 255.255.255.255 --rsource -j ${to}`;
const step = (to: string, probability?: string) =>
  `-A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment "a/b:c"${probability === undefined ? '' : ` -m statistic --mode random --probability ${probability}`} -j ${to}`;
const endpoint = (
  name: string,
  ip: string,
  remember = ` -m recent --set --name ${name} --mask 255.255.255.255 --rsource`,
) => [
  `-A ${name} -s ${ip}/32 -m comment --comment "a/b:c" -j KUBE-MARK-MASQ`,
  `-A ${name} -p tcp -m comment --comment "a/b:c"${remember} -m tcp -j DNAT --to-destination ${ip}:80`,
];
const one = 'KUBE-SEP-AAAAAAAAAAAAAAAA';
const two = 'KUBE-SEP-BBBBBBBBBBBBBBBB';
const healthy = [lookUp(one), lookUp(two), step(one, '0.50000000000'), step(two)];
const endpoints = [...endpoint(one, '10.244.0.1'), ...endpoint(two, '10.244.0.2')];
const whole = [
  '*nat',
  ...['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'].map((name) => `:${name} ACCEPT [0:0]`),
  ...['KUBE-SVC-AAAAAAAAAAAAAAAA', one, two].map((name) => `:${name} - [0:0]`),
];

function found(lines: readonly string[]): readonly string[] {
  const dump = readDumps([{ name: 'dump', text: lines.join('\n') }], { name: 'node', family: 'ipv4' });
  assert.deepEqual(dump.unread, []);
  return dump.iptables.flatMap((set) =>
    [...ladderChecks(set, wholeDump)].map(
      ({ finding: { code, service, found } }) => `${code} ${service} ${found.map(({ line }) => line).join()}`,
    ),
  );
}

describe('session affinity in a dump', () => {
  it('is as kube-proxy writes it', () => {
    assert.deepEqual(found([...whole, ...healthy, ...endpoints, 'COMMIT']), []);
    assert.deepEqual(found(healthy), []);
  });

  it('is lost where clients are looked up behind the final jump', () => {
    const moved = [lookUp(one), step(one, '0.50000000000'), step(two), lookUp(two)];
    assert.deepEqual(found([...whole, ...moved, ...endpoints, 'COMMIT']), ['K8N304 a/b:c 12']);
    assert.deepEqual(found(moved), ['K8N304 a/b:c 4']);
  });

  it('is lost where an endpoint remembers no client', () => {
    const forgetful = [...endpoint(one, '10.244.0.1'), ...endpoint(two, '10.244.0.2', '')];
    assert.deepEqual(found([...whole, ...healthy, ...forgetful, 'COMMIT']), ['K8N304 a/b:c 10']);
    // Lines that grep left out are no loss.
    assert.deepEqual(found([...healthy, ...forgetful]), []);
  });
});

describe('a part of a ladder', () => {
  it('shows uneven shares and dead rules', () => {
    assert.deepEqual(found([step(one, '0.25000000000'), step(two)]), ['K8N302 a/b:c 1']);
    assert.deepEqual(found([step(one), step(two)]), ['K8N303 a/b:c 2']);
  });

  it('does not show that its last rule is lost', () => {
    assert.deepEqual(found([step(one, '0.50000000000')]), []);
    assert.deepEqual(found([step(one, '0.50000000000'), step(two)]), []);
  });
});
