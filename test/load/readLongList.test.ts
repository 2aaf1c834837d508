import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readDocuments } from '../../src/load/files/readDocuments.ts';
import { readLongList } from '../../src/load/files/readLongList.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-long-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Items of some five megabytes: names that are long, not ASCII, or look like the ends of items. */
const items = Array.from({ length: 900 }, (_, at) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: `service-${at}`, annotations: { text: `},{"apiVersion" ],\n} ä€😀 \\" ${'x'.repeat(5000)}` } },
  spec: { ports: [{ port: at }, { port: 1e21, name: '' }], selector: {} },
}));
const owners = items.map((item) => ({ apiVersion: 'v1', owners: [{ apiVersion: 'a' }, { apiVersion: 'b' }], item }));

/** As kubectl prints objects of several kinds: not all begin with the version. */
function sorted(item: (typeof items)[number], at: number): object {
  return at % 3 === 0 ? { addressType: 'IPv4', ...item } : item;
}

function read(text: string | Buffer): unknown {
  const file = join(folder, 'list.json');
  writeFileSync(file, text);
  const long = readLongList(file);
  assert.deepEqual(readLongList(Buffer.from(text as string)), long);
  return long;
}

test('a long List is what JSON.parse makes of it, however it is printed', () => {
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
  const texts = [
    JSON.stringify(list, null, 4),
    JSON.stringify(list),
    `${JSON.stringify({ kind: 'List', apiVersion: 'v1', items: owners }, null, '\t')}\n\n`,
    JSON.stringify({ apiVersion: 'v1', kind: 'ServiceList', metadata: { items: 'no' }, items, last: [1] }, null, 1),
    JSON.stringify({ apiVersion: 'v1', items: items.map(sorted), kind: 'List' }, null, 4),
    `{"items":[\n${items.map((item) => JSON.stringify(item, null, 2)).join(',\n')}\n]}`,
  ];
  for (const text of texts) {
    const long = read(text) as { value: unknown } | undefined;
    assert.ok(long !== undefined, text.slice(0, 80));
    assert.equal(JSON.stringify(long.value), JSON.stringify(JSON.parse(text)));
  }
});

test('whatever is not plainly one List is left to the reader of whole texts', () => {
  const good = JSON.stringify({ items, kind: 'List' }, null, 2);
  const texts: readonly (string | Buffer)[] = [
    '{"items": [{"a": 1},{"a": 2}]}',
    good.slice(0, -3),
    `${good}\n{}`,
    good.replace('"service-500"', '"service-500'),
    good.replace('"service-899"', '"service-899'),
    good.replace('"kind": "List"', '"items": []'),
    JSON.stringify({ spec: { items }, kind: 'List' }, null, 2),
    JSON.stringify(items, null, 2),
    JSON.stringify({ items: [1, ...items] }, null, 2),
    `\ufeff${good}`,
    Buffer.from(good.replaceAll('ä', 'a').replaceAll('€😀', '')).fill(0xff, 3_000_000, 3_000_001),
  ];
  for (const text of texts) assert.equal(read(text), undefined, String(text.slice(0, 80)));
  assert.equal(readLongList(folder), undefined);
  assert.equal(readLongList(join(folder, 'nothing')), undefined);
});

test('each item can be read again, from a file and from bytes', () => {
  const text = JSON.stringify({ apiVersion: 'v1', items: items.map(sorted), kind: 'List' }, null, 4);
  const file = join(folder, 'again.json');
  writeFileSync(file, text);
  for (const from of [file, Buffer.from(text)]) {
    const again: unknown[] = [];
    const seen: number[] = [];
    const long = readLongList(from, {
      read: () => undefined,
      added: (list, read) => {
        again.push(read());
        seen.push(list.length);
      },
      end: (list) => assert.equal(list.length, items.length),
    });
    assert.deepEqual(again, (long?.value as { items: unknown } | undefined)?.items);
    assert.deepEqual(
      seen,
      Array.from(items, (_, at) => at + 1),
    );
  }
});

test('a long List on standard input keeps its text for places', async () => {
  const text = JSON.stringify({ apiVersion: 'v1', items, kind: 'List' }, null, 4);
  const { documents, sources } = await readDocuments(
    ['-'],
    { recursive: false, stdin: () => Buffer.from(text) },
    (diagnostic) => assert.fail(diagnostic.message),
  );
  assert.equal(documents.length, 1);
  assert.equal(sources.formatOf('<stdin>'), 'json');
  assert.equal(sources.textOf('<stdin>'), text);
});
