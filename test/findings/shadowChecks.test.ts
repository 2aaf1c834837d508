import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { dumpChecks } from '../../src/findings/checks/dumpChecks.ts';

/** K8N214, K8N215 and K8N308: what no packet gets to, who answers for another, and endpoints without a share. */

function found(services: readonly string[], chains: readonly string[] = []): readonly string[] {
  const text = [
    '*nat',
    ':PREROUTING ACCEPT [0:0]',
    ':INPUT ACCEPT [0:0]',
    ':OUTPUT ACCEPT [0:0]',
    ':POSTROUTING ACCEPT [0:0]',
    ':KUBE-SERVICES - [0:0]',
    ':KUBE-NODEPORTS - [0:0]',
    ':KUBE-MARK-MASQ - [0:0]',
    ...['A', 'B'].flatMap((one) => [`:${svc(one)} - [0:0]`, `:${sep(one)} - [0:0]`]),
    '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    ...services,
    ...(chains.length > 0 ? chains : ['A', 'B'].map((one) => `-A ${svc(one)} -j ${sep(one)}`)),
    ...['A', 'B'].flatMap((one, at) => [
      `-A ${sep(one)} -s 10.244.0.${at + 1}/32 -j KUBE-MARK-MASQ`,
      `-A ${sep(one)} -p tcp -m tcp -j DNAT --to-destination 10.244.0.${at + 1}:8080`,
    ]),
    'COMMIT',
    '',
  ].join('\n');
  return dumpChecks(readDumps([{ name: 'n.save', text }], { name: 'n.save' }))
    .map(({ finding }) => finding)
    .filter(({ code }) => ['K8N214', 'K8N215', 'K8N308'].includes(code))
    .map(({ code, service = '-', found: [place] }) => `${code} ${service} ${place?.line}`);
}

const svc = (letter: string) => `KUBE-SVC-${letter.repeat(16)}`;
const sep = (letter: string) => `KUBE-SEP-${letter.repeat(16)}`;
const to = (letter: string, ip = '10.96.0.1', port = 80) =>
  `-A KUBE-SERVICES -d ${ip}/32 -p tcp -m comment --comment "shop/${letter.toLowerCase()}:http cluster IP" -m tcp --dport ${port} -j ${svc(letter)}`;

describe('a rule behind another', () => {
  it('is answered by another Service', () => {
    assert.deepEqual(found([to('A'), to('B')]), ['K8N215 shop/b:http 16']);
  });

  it('is reached where the other asks for something else', () => {
    assert.deepEqual(found([to('A'), to('B', '10.96.0.2')]), []);
    assert.deepEqual(found([to('A'), to('B', '10.96.0.1', 81)]), []);
    const marked = to('A').replace(svc('A'), 'KUBE-MARK-MASQ');
    assert.deepEqual(found([marked, to('B')]), [], 'packets come back from a mark');
    assert.deepEqual(
      found([to('A').replace('-m tcp', '-m statistic --mode nth --every 2 --packet 0 -m tcp'), to('B')]),
      [],
    );
  });

  it('is reached where the chain of the other lets packets back', () => {
    const half = `-A ${svc('A')} -m statistic --mode random --probability 0.50000000000 -j ${sep('A')}`;
    assert.deepEqual(found([to('A'), to('B')], [half, `-A ${svc('B')} -j ${sep('B')}`]), []);
    const back = `-A ${svc('A')} -s 10.0.0.0/8 -j RETURN`;
    const all = ['A', 'B'].map((one) => `-A ${svc(one)} -j ${sep(one)}`);
    assert.deepEqual(found([to('A'), to('B')], [back, ...all]), []);
  });

  it('is never reached behind one for all of a network', () => {
    assert.deepEqual(found(['-A KUBE-SERVICES -d 10.96.0.0/12 -j ACCEPT', to('A')]), ['K8N214 shop/a:http 16']);
    assert.deepEqual(found(['-A KUBE-SERVICES -d 10.97.0.0/16 -j ACCEPT', to('A')]), []);
    assert.deepEqual(found(['-A KUBE-SERVICES -j RETURN', to('A'), to('B', '10.96.0.2')]), [
      'K8N214 shop/a:http 16',
      'K8N214 shop/b:http 17',
    ]);
  });

  it('says nothing of one that does the same', () => {
    assert.deepEqual(found([to('A'), to('A').replace('shop/a:http', 'shop/a:web')]), []);
  });
});

describe('an endpoint with a share of nothing', () => {
  const step = (probability: string) =>
    `-A ${svc('A')} -m statistic --mode random --probability ${probability} -j ${sep('A')}`;
  const last = [`-A ${svc('A')} -j ${sep('B')}`, `-A ${svc('B')} -j ${sep('B')}`];

  it('is named', () => {
    assert.deepEqual(found([to('A')], [step('0.00000000000'), ...last]), ['K8N308 shop/a:http 9']);
    assert.deepEqual(found([to('A')], [step('0.00000000047'), ...last]), [], 'one of two thousand million gets there');
  });

  it('may have had clients before', () => {
    const known = `-A ${svc('A')} -m recent --rcheck --seconds 60 --reap --name ${sep('A')} --mask 255.255.255.255 --rsource -j ${sep('A')}`;
    assert.deepEqual(found([to('A')], [known, ...last]), ['K8N308 shop/a:http 9']);
    assert.deepEqual(found([to('A')], [known, step('0.50000000000'), ...last]), []);
  });
});
