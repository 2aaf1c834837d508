import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nftLinesText } from '../../src/behaviour/shape/text/nftLinesText.ts';
import { savedEndpointText, savedLinesText } from '../../src/behaviour/shape/text/savedLinesText.ts';
import { createStepText } from '../../src/behaviour/shape/text/stepText.ts';
import { addressValue } from '../../src/netfilter/addressRanges.ts';

/** A port that other rules name, too. */
const isFixedPort = (port: number) => port === 9090;

function writer(address: string, port = 80) {
  const value = addressValue(address);
  assert.ok(value !== undefined);
  const [endpoints, targetPorts, others] = [new Map(), new Map(), new Map()];
  return createStepText({ address: value, port, endpoints, targetPorts, isFixedPort, others }).writer;
}

const chain = 'KUBE-SEP-ABCDEFGHIJKLMNOP';
const jump = (name: string) => `jump ${name}`;
const endpoint = (source: string, to: string, between = '') =>
  `-A ${chain} -s ${source}${between} -j KUBE-MARK-MASQ\n-A ${chain} -p tcp${between} -m tcp -j DNAT --to-destination ${to}`;

describe("the lines of an endpoint's chain", () => {
  const usual: Readonly<Record<string, string>> = {
    IPv4: endpoint('10.0.0.1/32', '10.0.0.1:8080'),
    IPv6: endpoint('fd00::1/128', '[fd00::1]:8080'),
    'a comment in quotes': endpoint('10.0.0.1/32', '10.0.0.1:8080', ' -m comment --comment "shop/web:http"'),
    'a comment of one word': endpoint('10.0.0.1/32', '10.0.0.1:8080', ' -m comment --comment web'),
  };
  for (const [name, text] of Object.entries(usual)) {
    it(`are told at once as line by line: ${name}`, () => {
      const [one, other] = [writer('10.96.0.1'), writer('10.96.0.1')];
      assert.equal(savedEndpointText(text, one, jump), savedLinesText(text, other, jump));
      assert.deepEqual(one.names, other.names);
      assert.equal(one.names.endpoints.size, 1);
    });
  }
  const unusual: Readonly<Record<string, string>> = {
    'another target': endpoint('10.0.0.1/32', '10.0.0.2:8080'),
    'a port alone': endpoint('fd00::1/128', ':8080'),
    'no port': endpoint('10.0.0.1/32', '10.0.0.1'),
    'a network': endpoint('10.0.0.0/24', '10.0.0.0:8080'),
    'no address': endpoint('10.0.0.999/32', '10.0.0.999:8080'),
    'a third line': `${endpoint('10.0.0.1/32', '10.0.0.1:8080')}\n-A ${chain} -j RETURN`,
    'another chain': endpoint('10.0.0.1/32', '10.0.0.1:8080').replace(chain, 'KUBE-SEP-PONMLKJIHGFEDCBA'),
  };
  for (const [name, text] of Object.entries(unusual)) {
    it(`are read otherwise: ${name}`, () =>
      assert.equal(savedEndpointText(text, writer('10.96.0.1'), jump), undefined));
  }
});

describe('the lines of a chain in nft', () => {
  const told = (text: string, address = '10.96.0.1') =>
    nftLinesText(text, writer(address), (kind, name) => `${kind} <${name}>`);

  it('have placeholders for the address, the port and the endpoints of a Service', () => {
    const text =
      'ip daddr 10.96.0.1 tcp dport 80 ip saddr != 10.0.0.0/8 jump mark-for-masquerade\nmeta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.0.0.1 . 8080, 1 : 10.0.0.2 . 8080 }';
    assert.equal(
      told(text),
      'ip daddr $A tcp dport $P ip saddr != 10.0.0.0/8 jump <mark-for-masquerade>\nmeta l4proto tcp dnat ip to numgen random mod 2 map { 0 : $E0 . $T0, 1 : $E1 . $T0 }',
    );
  });

  it('name endpoints before rules that match them as senders', () => {
    const text = 'ip saddr 10.0.0.1 jump mark-for-masquerade\nmeta l4proto tcp dnat to 10.0.0.1:8080';
    assert.equal(told(text), 'ip saddr $E0 jump <mark-for-masquerade>\nmeta l4proto tcp dnat to $E0:$T0');
  });

  it('are the same over IPv6', () => {
    const text = 'ip6 daddr fd00:96::1 tcp dport 80 jump a\nmeta l4proto tcp dnat to [fd00::1]:8080';
    assert.equal(told(text, 'fd00:96::1'), 'ip6 daddr $A tcp dport $P jump <a>\nmeta l4proto tcp dnat to [$E0]:$T0');
  });

  it('number the ports of endpoints, but that of the Service and those that other rules name', () => {
    const ports = [8443, 80, 8080, 9090, 8443];
    const map = (write: (port: number, at: number) => string) =>
      `dnat ip to numgen random mod 5 map { ${ports.map(write).join(', ')} }`;
    assert.equal(
      told(map((port, at) => `${at} : 10.0.0.${at + 1} . ${port}`)),
      map((_, at) => `${at} : $E${at} . ${['$T0', '$P', '$T1', '9090', '$T0'][at]}`),
    );
  });

  it('keep ports that are asked for', () => {
    const text = 'ip saddr . tcp dport { 10.9.0.1 . 8080 } drop';
    assert.equal(told(text), 'ip saddr . tcp dport { 168361985 . 8080 } drop');
  });

  it('keep what belongs to nobody: other ports, networks, ranges', () => {
    const text =
      'tcp dport 8080 drop\ntcp dport 80-90 drop\ntcp dport { 80, 81 } drop\nip saddr 10.9.0.1-10.9.0.5 drop\nip daddr 10.9.0.0/16 drop';
    assert.equal(told(text), text);
  });

  it('keep other senders as numbers', () => assert.equal(told('ip saddr 10.9.0.1 drop'), 'ip saddr 168361985 drop'));

  it('number other destinations', () => {
    assert.equal(
      told('ip daddr 10.96.0.7 drop\nip daddr 10.96.0.8 drop\nip daddr 10.96.0.7 accept'),
      'ip daddr $D0 drop\nip daddr $D1 drop\nip daddr $D0 accept',
    );
  });

  it('lead to each chain of a map', () => {
    assert.equal(
      told('numgen random mod 2 vmap { 0 : goto endpoint-A-a/b, 1 : goto endpoint-B-a/b }'),
      'numgen random mod 2 vmap { 0 : goto <endpoint-A-a/b>, 1 : goto <endpoint-B-a/b> }',
    );
  });

  for (const text of ['ip saddr @affinity-A drop', 'drop comment "a 10.0.0.1"', "meta mark 'a' drop"]) {
    it(`are read otherwise: ${text}`, () => assert.equal(told(text), undefined));
  }
});
