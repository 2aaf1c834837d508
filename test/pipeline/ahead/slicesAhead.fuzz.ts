import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, test } from 'node:test';
import { columnsOf } from '../../../src/common/proxy/endpointColumns.ts';
import { slicesAhead } from '../../../src/pipeline/ahead/slicesAhead.ts';
import type { EndpointSliceObject } from '../../../src/validate/kinds/manifests.ts';
import { type SliceEndpoint, sliceEndpoints } from '../../../src/validate/shown/sliceEndpoints.ts';
import { type Random, seededRandom } from '../../fleet/randomCluster.ts';
import { fuzzSeed } from '../../support/fuzzSeed.ts';

const rounds = Number(process.env.FUZZ_RUNS ?? 40);

for (let at = 0; at < rounds; at += 1) {
  const seed = fuzzSeed + at;
  it(`slices read from bytes are what JSON.parse gives (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const texts = Array.from({ length: 150 }, (_, index) => randomText(random, index));
    compare(texts);
  });
}

test('every soundly written slice of a recorded cluster is read from its bytes', () => {
  const folder = join(import.meta.dirname, '../../../golden/recorded/live');
  const slices = readdirSync(folder).flatMap((name) => {
    const { items } = JSON.parse(readFileSync(join(folder, name, 'objects.json'), 'utf8')) as { items: Slice[] };
    return items.filter(({ kind }) => kind === 'EndpointSlice');
  });
  assert.ok(slices.length > 100);
  for (const indent of [undefined, 2, 4]) {
    const read = compare(slices.map((slice) => JSON.stringify(slice, null, indent)));
    const single = slices.filter(({ endpoints, addressType }) => {
      const all = (endpoints ?? []) as readonly { readonly addresses: readonly string[] }[];
      return addressType !== 'FQDN' && all.length > 0 && all.every(({ addresses }) => addresses.length === 1);
    });
    assert.ok(read > 0.9 * single.length, `${read} of ${single.length}`);
  }
});

test('one value or character that is wrong or odd, among slices of the same shape', () => {
  for (const [from, to] of oddities) {
    for (const indent of [undefined, 4]) {
      const good = Array.from({ length: 4 }, (_, at) => JSON.stringify(sorted(usualSlice(at)), null, indent));
      const odd = good.map((text) => {
        const spaced = indent === undefined ? from.replaceAll(': ', ':') : from;
        assert.ok(text.includes(spaced), spaced);
        return text.replace(spaced, () => to);
      });
      const told = `${from} -> ${to.slice(0, 80)}`;
      // Before the shape is known, and after.
      assert.ok(compare([...odd, ...good], told) >= 4, told);
      compare([good[0], odd[1], good[2], odd[3], good[3]] as string[], told);
    }
  }
});

test('a slice of more endpoints than the API server takes is not sound', () => {
  const many = (count: number) => {
    const slice = usualSlice(1);
    const [one] = slice.endpoints as readonly object[];
    return JSON.stringify({ ...slice, endpoints: Array.from({ length: count }, () => one) });
  };
  assert.equal(compare([many(1000), many(1001)]), 1);
});

test('bytes that are not UTF-8, and lists that end otherwise, are not read', () => {
  const ahead = slicesAhead(0);
  const text = JSON.stringify(sorted(usualSlice(1)));
  const good = Buffer.from(text);
  assert.ok(ahead.read(good, textOf) !== undefined);
  for (const place of ['zone-a', 'node-1', 'shop', 'web-0']) {
    const bad = Buffer.from(good);
    bad[text.indexOf(place)] = 0xff;
    assert.equal(ahead.read(bad, textOf), undefined, place);
  }
  for (const end of ['}},"kind"', '},],"kind"', '}"kind"', '}']) {
    const bad = text.replace('}],"kind"', end);
    assert.notEqual(bad, text);
    assert.equal(ahead.read(Buffer.from(bad), textOf), undefined, end);
  }
});

function usualSlice(at: number): Slice {
  return {
    ...randomSlice(seededRandom(7), at, false),
    metadata: { labels: { 'kubernetes.io/service-name': 'web' }, name: `web-${at}`, namespace: 'shop' },
    addressType: 'IPv4',
    // The hashes of the last two names are the same.
    endpoints: ['node-1', 'node-ap', 'node-c2'].map((nodeName, index) => ({
      addresses: [`10.0.${at}.${index}`],
      conditions: { ready: true, serving: true, terminating: false },
      hostname: 'web-0',
      nodeName,
      targetRef: { kind: 'Pod', name: 'web-0', namespace: 'shop' },
      zone: 'zone-a',
    })),
  };
}

/** What stands in a usual slice, and what stands there instead; the first place is meant. */
const oddities: readonly (readonly [string, string])[] = [
  ...[
    '300.0.',
    '010.0.',
    '127.0.',
    '224.0.',
    '10.',
    'fd00::',
    '',
    '1\\u0030.0.',
    '10.0.\n',
    '10.1.1.1","10.0.',
    'é',
  ].map((start) => ['10.0.', start] as const),
  ...['Node_1', 'node-\\u0031', 'node_1', '', 'node-ä', 'a"b', 'x\u0001', 'node-1\\', 'node-1","nodeName":"node-9'].map(
    (name) => ['"node-1"', `"${name}"`] as const,
  ),
  ['"node-1"', '"node-1","nodeName":null'],
  ['"node-1"', '"node-1","nodeName":"Node"'],
  ['"node-1"', '5'],
  ...['WEB', 'web.0', '', 'web-\\u0030', '\u0001', 'x'.repeat(64)].map((name) => ['"web-0"', `"${name}"`] as const),
  ...['zone\\u0061', 'ä', '\u0001', '\t', '\\"', '\\', '"', '\u007f', ''].map((zone) => ['zone-a', zone] as const),
  ['"zone-a"', 'null'],
  ['"zone-a"', '"zone-a","hints":{"forZones":[{"name":"ä"}]}'],
  ['"zone-a"', '"zone-a","hints":{"forZones":[{"name":"\\u00e4"}]}'],
  ['"zone-a"', '"zone-a","colour":"red"'],
  ['"zone-a"', '"zone-a","zone":"zone-b","__proto__":{}'],
  ['true', 'false'],
  ['true', '"yes"'],
  ['true', 'tru'],
  ['"ready": true', '"ready":  true'],
  ['"metadata"', '"endpoints":"the endpoints of the slice","metadata"'],
  ['"metadata"', '"endpoints":[],"metadata"'],
  ['"metadata"', '"\\u0065ndpoints":"the endpoints of the slice","metadata"'],
  ['"metadata"', '"endpoints":"\\u0074he endpoints of the slice","metadata"'],
  ['"name": "web-', '"annotations":{"a":"the endpoints of the slice"},"name":"web-'],
  ['"apiVersion"', '"more":{"endpoints":[{"addresses":["10.0.0.1"]}]},"apiVersion"'],
  ['"apiVersion"', '"metadata":{"endpoints":[{"addresses":["10.0.0.1"]}]},"apiVersion"'],
  ['"kind": "EndpointSlice"', '"kind":"EndpointSlice"]'],
  ['"kind": "EndpointSlice"', '"kind":"Slices"'],
  ['"IPv4"', '"IPv6"'],
  ['"IPv4"', '"FQDN"'],
  ['"shop"', '""'],
];

/** Both ways give the same items; returns how many were read from their bytes. */
function compare(texts: readonly string[], told?: string): number {
  const [fast, plain] = [collect(texts, true), collect(texts, false)];
  for (const [at, item] of plain.items.entries()) assert.deepEqual(shown(fast.items[at]), shown(item), told);
  assert.equal(fast.items.length, plain.items.length);
  return fast.read;
}

function collect(texts: readonly string[], reads: boolean): { items: unknown[]; read: number } {
  const ahead = slicesAhead(0);
  const items: unknown[] = [];
  let read = 0;
  for (const text of texts) {
    // Amid other bytes, as in a file.
    const bytes = Buffer.from(`{}${text},{}`).subarray(2, 2 + Buffer.byteLength(text));
    const own = reads ? ahead.read(bytes, textOf) : undefined;
    if (own !== undefined) read += 1;
    const again = () => JSON.parse(text) as unknown;
    let value = own;
    try {
      value ??= again();
    } catch {
      continue;
    }
    assert.doesNotThrow(again, `read, but not JSON: ${text}`);
    items.push(value);
    ahead.added(items, again);
  }
  ahead.end(items);
  return { items, read };
}

function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** What the rest of the program sees of an item. */
function shown(item: unknown): unknown {
  const slice = item as EndpointSliceObject;
  if (typeof item !== 'object' || item === null || columnsOf(item) === undefined) return item;
  const { metadata, addressType, ports, endpoints } = slice;
  return { isAhead: true, metadata, addressType, ports, endpoints, read: [...sliceEndpoints(slice)].map(meaning) };
}

/** No conditions and an empty object of them are the same. */
function meaning({ addresses, conditions, nodeName, hints }: SliceEndpoint): unknown {
  const { ready, serving, terminating } = conditions ?? {};
  return [addresses, ready, serving, terminating, nodeName ?? null, hints ?? null];
}

type Slice = Record<string, unknown> & {
  readonly kind: string;
  readonly endpoints?: unknown;
  readonly addressType?: string;
};

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T;
}

/** A slice in one of the ways in which programs print it; every fifth is wrong somewhere, or no JSON. */
function randomText(random: Random, at: number): string {
  const isWrong = random(5) === 0;
  const slice = randomSlice(random, at, isWrong);
  const indent = pick(random, [undefined, 2, 4, '\t']);
  const text = JSON.stringify(random(2) === 0 ? sorted(slice) : slice, null, indent);
  return isWrong && random(2) === 0 ? mutated(text, random) : text;
}

function randomSlice(random: Random, at: number, isWrong: boolean): Slice {
  const isIpv6 = random(5) === 0;
  const addressType =
    isWrong && random(6) === 0 ? pick(random, ['FQDN', 'IPv4', 'IPv6', 'ipv4', null]) : isIpv6 ? 'IPv6' : 'IPv4';
  return {
    ...(isWrong && random(8) === 0 ? {} : { kind: 'EndpointSlice' }),
    apiVersion: isWrong && random(8) === 0 ? 'discovery.k8s.io/v1beta1' : 'discovery.k8s.io/v1',
    metadata: {
      name: random(40) === 0 ? 'same' : `web-${at}`,
      namespace: isWrong && random(6) === 0 ? '' : 'shop',
      labels: isWrong && random(6) === 0 ? {} : { 'kubernetes.io/service-name': 'web' },
      ...(random(4) === 0 && { annotations: { note: pick(random, ['ä€', 'a "b"', '"endpoints": [', 'plain', '\\']) } }),
    },
    addressType: addressType as string,
    endpoints:
      random(20) === 0
        ? pick(random, [null, [], undefined])
        : Array.from({ length: 1 + random(7) }, () => randomEndpoint(random, isIpv6, isWrong)),
    ports: pick(random, [null, [{ name: 'http', port: 8080, protocol: 'TCP' }], [{ port: 53, appProtocol: null }]]),
  } as unknown as Slice;
}

const goodAddresses = ['10.0.0.1', '10.244.13.200', '192.168.255.255', '1.2.3.4'];
const badAddresses = [
  '10.0.0.256',
  '10.0.0',
  '10.0.0.01',
  '127.0.0.1',
  '169.254.1.1',
  '0.0.0.0',
  '224.0.0.1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '',
  'web',
  '10.0.0.1 ',
  '10.0.0.1\n',
  '10.0.0.é',
];
const ipv6Addresses = ['fd00::1', 'fd00:1:2::a', '2001:db8::10'];
const badNames = ['Node_1', '', 'a..b', '-a', 'ä', 'a"b', 'x'.repeat(254)];

function randomEndpoint(random: Random, isIpv6: boolean, isWrong: boolean): object {
  const isOdd = isWrong && random(3) === 0;
  const name = (good: string) => (isOdd && random(4) === 0 ? pick(random, badNames) : good);
  const address =
    isOdd && random(3) === 0 ? pick(random, badAddresses) : pick(random, isIpv6 ? ipv6Addresses : goodAddresses);
  const one = {
    addresses: random(25) === 0 ? [address, '10.9.9.9'] : [address],
    ...(random(6) > 0 && {
      conditions: pick(random, [
        { ready: true, serving: true, terminating: false },
        { ready: false, serving: true, terminating: true },
        { ready: null },
        {},
        null,
      ]),
    }),
    ...(random(6) > 0 && { nodeName: random(12) === 0 ? null : name(`node-${random(90)}`) }),
    ...(random(3) === 0 && { zone: pick(random, ['a', 'zone-b', null, 'ä', '"']) }),
    ...(random(6) === 0 && { hostname: name(`web-${random(20)}`) }),
    ...(random(2) === 0 && {
      targetRef: { kind: 'Pod', name: `web-${random(999)}`, namespace: 'shop', uid: pick(random, ['1-2', 'a\\b', '']) },
    }),
    ...(random(8) === 0 && {
      hints: pick<unknown>(random, [
        { forZones: [{ name: 'a' }] },
        { forZones: [{ name: 'b' }, { name: 'a' }] },
        { forNodes: [{ name: 'node-1' }] },
        null,
      ]),
    }),
    ...(random(15) === 0 && { deprecatedTopology: { 'kubernetes.io/hostname': `node-${random(3)}` } }),
    ...(isOdd &&
      random(6) === 0 &&
      pick<object>(random, [
        { colour: 'red' },
        { addresses: [] },
        { nodeName: 5 },
        { hints: { forZones: [{ name: 'a' }, { name: 'a' }] } },
        { conditions: { ready: 'yes' } },
      ])),
  };
  return one;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

/** Some characters fewer, more or others. */
function mutated(text: string, random: Random): string {
  const at = random(text.length);
  const to = at + random(random(2) === 0 ? 3 : 60);
  const piece = text.slice(at, to);
  const other = pick(random, [
    '',
    '"',
    '\\',
    '\\"',
    ',',
    ' ',
    '\n',
    ']',
    '}',
    '{',
    '\u0000',
    '\u007f',
    'é',
    '\\u0061',
    'null',
    piece + piece,
    ',"endpoints":[]',
    ',"endpoints":"the endpoints of the slice"',
    '"nodeName":"other",',
    text.slice(random(text.length)).slice(0, 40),
  ]);
  return text.slice(0, at) + other + text.slice(random(2) === 0 ? to : at);
}
