import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { plainIpText } from '../../src/dump/network/ipJson.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { root } from '../support/compileCase.ts';

/** Recorded in one network namespace by iproute2 6.1: each listing as text, with `-j`, and with `-j -p`. */
const read = (name: string) => {
  const text = readFileSync(join(root, 'fixtures/ip-json', name), 'utf8');
  const { unread, network, bridgePorts, notes } = readDumps([{ name, text }], { name: 'node' });
  return {
    unread,
    network,
    ports: bridgePorts.map(({ name: port, bridge, isHairpin }) => ({ port, bridge, isHairpin })),
    notes,
  };
};

describe('what ip prints as JSON is read like its text', () => {
  for (const [text, ...others] of [
    ['addresses.txt', 'addresses.json', 'addresses.pretty.json'],
    ['routes.txt', 'routes.json', 'routes.pretty.json'],
    ['rules.txt', 'rules.json'],
    ['bridge.txt', 'bridge.json'],
  ] as const) {
    for (const json of others) {
      it(json, () => {
        const plain = read(text);
        const { interfaces, routes, rules } = plain.network;
        assert.ok(interfaces.length + routes.length + rules.length + plain.ports.length > 1);
        assert.deepEqual(read(json), plain);
      });
    }
  }

  it('a name that such a text cannot hold is not read', () => {
    const link = { ifindex: 2, ifname: 'a\n3: b', flags: ['UP'], mtu: 1500, addr_info: [] };
    assert.equal(plainIpText(JSON.stringify([link])), undefined);
    assert.equal(
      plainIpText(JSON.stringify([{ dst: 'default', gateway: '10.0.0.1 dev x', dev: 'eth0', flags: [] }])),
      undefined,
    );
    assert.equal(plainIpText(JSON.stringify([{ priority: 5, src: 'all', table: '7', uid_start: 0 }])), undefined);
  });

  it('other texts stay as they are', () => {
    for (const text of [
      '',
      '[0:0] -A INPUT -j ACCEPT\n',
      '[]',
      '[{"kind":"Service"}]',
      '[{"ifindex":',
      '{"nftables": []}',
    ])
      assert.equal(plainIpText(text), undefined, text);
  });
});
