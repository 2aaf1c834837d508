import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonPath } from '../../src/diagnostics/diagnostic.ts';
import { itemFinder } from '../../src/load/files/itemFinder.ts';
import { load } from '../../src/load/files/load.ts';
import { createLocator } from '../../src/load/locate.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-items-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const items = Array.from({ length: 900 }, (_, at) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: `service-${at}`, namespace: 'shop', annotations: { '😀': `ä€😀 },{ ${'x'.repeat(5000)}` } },
  spec: { ports: [{ name: '😀', port: at }], clusterIP: '10.96.0.1', selector: {} },
}));

const list = { apiVersion: 'v1', kind: 'List', items };
const pretty = JSON.stringify(list, null, 4);
const ofLines = `{"apiVersion":"v1","kind":"List","items":[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]}\n`;

const texts: readonly (readonly [how: string, text: string, isByItem: boolean])[] = [
  ['as kubectl prints it', `${pretty}\n`, true],
  ['with Windows line ends', pretty.replaceAll('\n', '\r\n'), true],
  ['an item a line', ofLines, true],
  ['with its kind last', JSON.stringify({ items, kind: 'List', apiVersion: 'v1' }, null, 1), true],
  ['in one line', JSON.stringify(list), false],
  [
    'items without kinds',
    JSON.stringify({ apiVersion: 'v1', kind: 'ServiceList', items: items.map(({ kind, ...rest }) => rest) }, null, 2),
    false,
  ],
];

const paths: readonly JsonPath[] = [
  ['items', 0],
  ['items', 0, 'metadata', 'name'],
  ['items', 1, 'spec', 'ports', 0, 'port'],
  ['items', 450, 'metadata', 'annotations', '😀'],
  ['items', 450, 'spec', 'ports', 0, 'name'],
  ['items', 450, 'spec', 'ports', 3, 'name'],
  ['items', 450, 'spec', 'nothing'],
  ['items', 899],
  ['items', 899, 'spec', 'clusterIP'],
  ['items', 899, 'spec', 'selector'],
  ['items', 900, 'spec'],
  ['items'],
  ['kind'],
];

for (const [how, text, isByItem] of texts) {
  test(`places in a long List, ${how}, are those that the whole text shows`, async () => {
    const file = join(folder, 'list.json');
    writeFileSync(file, text);
    const { sources, objects } = await load([file], { recursive: false }, () => {});
    assert.equal(objects.length, items.length);
    let wholeTexts = 0;
    const counted = {
      ...sources,
      textOf: (name: string) => {
        wholeTexts += 1;
        return sources.textOf(name);
      },
    };
    const [byItem, byText] = [
      await createLocator(counted, []),
      await createLocator({ textOf: sources.textOf, formatOf: sources.formatOf }, []),
    ];
    for (const path of paths) {
      if (typeof path[1] !== 'number' || path[1] >= items.length) continue;
      for (const part of ['key', 'value'] as const) {
        const origin = { file, document: 0, path, part };
        assert.deepEqual(byItem(origin), byText(origin), path.join('.'));
      }
    }
    assert.equal(wholeTexts === 0, isByItem);
    for (const path of paths) {
      const origin = { file, document: 0, path };
      assert.deepEqual(byItem(origin), byText(origin), path.join('.'));
    }
  });
}

test('what is not there any more has no items', () => {
  assert.equal(itemFinder(join(folder, 'nothing.json'), [0, 10])(0), undefined);
  const file = join(folder, 'other.json');
  writeFileSync(file, 'a'.repeat(100));
  const find = itemFinder(file, [10, 20]);
  assert.equal(find(0), undefined);
  assert.equal(find(1), undefined);
  assert.equal(find(2), undefined);
});
