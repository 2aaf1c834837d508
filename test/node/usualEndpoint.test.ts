import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { serviceChainKind } from '../../src/netfilter/proxyChains.ts';
import { usualEndpoint } from '../../src/node/chains/usualEndpoint.ts';
import { readRules } from '../../src/node/rulesOf.ts';
import { recordedDumps } from '../support/recordedDumps.ts';

const chain = 'KUBE-SEP-ABCDEFGHIJKLMNOP';
const usual = [
  `-A ${chain} -s 10.244.0.5/32 -m comment --comment "shop/web:http" -j KUBE-MARK-MASQ`,
  `-A ${chain} -p tcp -m comment --comment "shop/web:http" -m tcp -j DNAT --to-destination 10.244.0.5:8080`,
].join('\n');

describe('the usual chain of an endpoint', () => {
  it('is read without being parsed', () => {
    assert.equal(usualEndpoint(usual), '10.244.0.5:8080');
    assert.equal(usualEndpoint(usual.replace(':8080', ':65535')), '10.244.0.5:65535');
    assert.equal(usualEndpoint(usual.replaceAll(' -m comment --comment "shop/web:http"', '')), '10.244.0.5:8080');
  });

  const others: readonly (readonly [string, string])[] = [
    ['marks another address', usual.replace('10.244.0.5/32', '10.244.0.6/32')],
    ['marks a network', usual.replace('/32', '/24')],
    ['marks all but the endpoint', usual.replace('-s ', '! -s ')],
    ['translates first', usual.split('\n').reverse().join('\n')],
    ['does not mark', usual.split('\n')[1] as string],
    ['has another rule', `${usual}\n-A ${chain} -j RETURN`],
    ['remembers clients', usual.replace('-m tcp -j', '-m recent --set --name A --rsource -m tcp -j')],
    ['has rules of another chain', usual.replace(`-A ${chain} -p`, '-A KUBE-SEP-ABCDEFGHIJKLMNOQ -p')],
    ['has no address', usual.replaceAll('10.244.0.5', '10.244.0.500')],
    ['has a port with a zero', usual.replace(':8080', ':08080')],
    ['has a port beyond all', usual.replace(':8080', ':65536')],
    ['translates at random', `${usual} --random`],
  ];
  for (const [name, text] of others) it(`is not one that ${name}`, () => assert.equal(usualEndpoint(text), undefined));

  it('says what its rules say, in every recording', () => {
    let count = 0;
    for (const { mode, files, scenario } of recordedDumps()) {
      if (mode !== 'iptables') continue;
      for (const set of readDumps(files, { name: scenario }).iptables) {
        for (const each of set.tables.get('nat')?.chains.values() ?? []) {
          const to = usualEndpoint(each.text);
          if (to === undefined) continue;
          const rules = readRules(each, set.family);
          assert.equal(serviceChainKind(each.name), 'endpoint');
          assert.deepEqual(
            rules.map(({ target }) => target),
            [
              { kind: 'jump', chain: 'KUBE-MARK-MASQ' },
              { kind: 'dnat', to },
            ],
          );
          count += 1;
        }
      }
    }
    assert.ok(count > 100, `${count} chains`);
  });
});
