import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointOrder } from '../../../src/emit/iptables/endpoints/endpointOrder.ts';
import type { EndpointRules } from '../../../src/emit/iptables/endpoints/endpointRules.ts';
import { type SavedEndpoints, savedEndpoints } from '../../../src/emit/iptables/endpoints/savedEndpoints.ts';
import { nameStore } from '../../../src/emit/iptables/nameStore.ts';
import { savedTable } from '../../../src/emit/iptables/savedTable.ts';
import { endpointAt } from '../../../src/resolve/endpoints/endpointIndex.ts';

test('chains stand in byte order, rules of one chain in the order they came', () => {
  const table = savedTable();
  const endpoints = savedEndpoints();
  const write = writerTo(endpoints);
  table.declare('KUBE-SVC-B');
  table.push('KUBE-SVC-A', '-A KUBE-SVC-A 1');
  table.push('KUBE-SERVICES', '-A KUBE-SERVICES 1');
  add(endpoints, [write], 'shop/web:http', ['BBBBBBBBBBBBBBBB 10.0.0.1:80', '7AAAAAAAAAAAAAAA 10.0.0.2:80']);
  table.push('KUBE-SVC-A', '-A KUBE-SVC-A 2 ä');
  add(endpoints, [write, write], 'shop/db', ['BBBBBBBBBBBBBBBB [fd00::1]:5432']);
  table.push('KUBE-EXT-Z', '-A KUBE-EXT-Z 1');
  table.push('KUBE-SERVICES', '-A KUBE-SERVICES 2');
  table.push('OUTPUT', '-A OUTPUT 1');
  table.push('PREROUTING', '-A PREROUTING 1');
  assert.equal(
    [...table.text('nat', ['PREROUTING', 'INPUT', 'OUTPUT'], endpoints.sorted())].join(''),
    `*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:KUBE-EXT-Z - [0:0]
:KUBE-SEP-7AAAAAAAAAAAAAAA - [0:0]
:KUBE-SEP-BBBBBBBBBBBBBBBB - [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-SVC-A - [0:0]
:KUBE-SVC-B - [0:0]
-A PREROUTING 1
-A OUTPUT 1
-A KUBE-EXT-Z 1
-A KUBE-SEP-7AAAAAAAAAAAAAAA shop/web:http 10.0.0.2 10.0.0.2:80
-A KUBE-SEP-BBBBBBBBBBBBBBBB shop/web:http 10.0.0.1 10.0.0.1:80
-A KUBE-SEP-BBBBBBBBBBBBBBBB shop/db fd00::1 [fd00::1]:5432
-A KUBE-SEP-BBBBBBBBBBBBBBBB shop/db fd00::1 [fd00::1]:5432
-A KUBE-SERVICES 1
-A KUBE-SERVICES 2
-A KUBE-SVC-A 1
-A KUBE-SVC-A 2 ä
COMMIT
`,
  );
});

test('a table of long chains, with a line of a megabyte', () => {
  const table = savedTable();
  const expected = new Map<string, string[]>();
  for (let at = 0; at < 300; at += 1) {
    const chain = at % 3 === 0 ? 'KUBE-SERVICES' : `KUBE-SVC-${String.fromCharCode(0x5a - (at % 26)).repeat(16)}`;
    const line = `-A ${chain} ${at} ${'x'.repeat(at === 7 ? 1 << 20 : 1000)}`;
    table.push(chain, line);
    expected.set(chain, [...(expected.get(chain) ?? []), line]);
  }
  const lines = [...table.text('nat', [])].join('').split('\n');
  const chains = [...expected.keys()].sort();
  assert.deepEqual(
    lines.filter((line) => line.startsWith('-A')),
    chains.flatMap((chain) => expected.get(chain)),
  );
  assert.deepEqual(
    lines.filter((line) => line.startsWith(':')),
    chains.map((chain) => `:${chain} - [0:0]`),
  );
});

test('rules of more endpoints than are written at once are sorted, whatever characters their Services have', () => {
  const endpoints = savedEndpoints();
  const writers = [writerTo(endpoints), writerTo(endpoints)];
  const names = ['shop/web', 'shop/prix-élevé', `shop/${'long'.repeat(100)}`, 'shop/日本'];
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const expected: string[] = [];
  for (let at = 0; at < 2000; at += 1) {
    const name = names[at % names.length] as string;
    const hash = Array.from({ length: 16 }, (_, letter) => letters[(at * 7919 * (letter + 3)) % 32]).join('');
    const ip = `10.${at % 7}.${at >> 8}.${at & 255}`;
    add(endpoints, [writers[at % 2] as Writer], name, [`${hash} ${ip}:${at + 1}`]);
    expected.push(`-A KUBE-SEP-${hash} ${name} ${ip} ${ip}:${at + 1}`);
  }
  const { heads, rules } = endpoints.sorted();
  const chainOf = (line: string) => line.slice(3, 28);
  // By the chain alone: sort is stable.
  expected.sort((a, b) => (chainOf(a) < chainOf(b) ? -1 : chainOf(a) > chainOf(b) ? 1 : 0));
  assert.equal([...heads].join(''), [...new Set(expected.map((line) => `:${chainOf(line)} - [0:0]\n`))].join(''));
  assert.equal([...rules].join(''), expected.map((line) => `${line}\n`).join(''));
});

test('names that begin alike are sorted by their ends, equal names keep their order', () => {
  const ends = ['AAAAAAAAAAAAAAAB', 'AAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAA7A', 'AAAAAAAAAAAAAAAB', '7AAAAAAAAAAAAAAA'];
  const bytes = Buffer.from(ends.map((end) => `KUBE-SEP-${end}`).join(''));
  const places = Uint32Array.from(ends, (_, at) => at * 25);
  const sorted = [...endpointOrder(bytes, places)].map((place) => place / 25);
  assert.deepEqual(sorted, [4, 2, 1, 0, 3]);
});

type Writer = EndpointRules['write'][number];

function writerTo(endpoints: SavedEndpoints): Writer {
  return ({ chain, name, ip, address }) => endpoints.push(`-A ${chain} ${name} ${ip} ${address}`);
}

/** Each endpoint as `HASH ip:port`. */
function add(endpoints: SavedEndpoints, write: readonly Writer[], name: string, own: readonly string[]): void {
  const chains = own.map((text) => `KUBE-SEP-${text.slice(0, 16)}`);
  const bytes = Buffer.from(chains.join(''));
  const state = { isReady: true, isServing: true, isTerminating: false, isLocal: false, zoneHints: [], nodeHints: [] };
  endpoints.add({
    name,
    chains: { bytes, start: 0, end: bytes.length, texts: () => chains },
    endpoints: own.map((text) => {
      const colon = text.lastIndexOf(':');
      return endpointAt({ ...state, ip: text.slice(17, colon).replace(/[[\]]/g, '') }, Number(text.slice(colon + 1)));
    }),
    write,
  });
}

test('names are the same in every run over them', () => {
  const names = nameStore();
  const seeds = Array.from({ length: 200 }, (_, at) => `a/b${at}tcp10.0.0.${at}:80`);
  const run = () =>
    [
      names.next(3, (at) => seeds[at] as string).texts(),
      names.next(0, String).texts(),
      names.next(197, (at) => seeds[3 + at] as string).texts(),
      [names.nextHash('a/btcp'), names.nextHash('a/cudp')],
    ].flat();
  const first = run();
  names.rewind();
  assert.deepEqual(run(), first);
  assert.equal(new Set(first).size, 202);
  assert.match(first[199] as string, /^KUBE-SEP-[A-Z2-7]{16}$/);
  assert.match(first[201] as string, /^[A-Z2-7]{16}$/);
});
