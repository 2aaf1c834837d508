import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonPath, Origin } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import { createLocator } from '../../src/load/locate.ts';

const yaml = `# a comment
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  labels: &labels
    app: 😀 web
    example.com/a: b
spec:
  clusterIP: 10.96.0.1
  ports:
  - name: http
    port: 80
  - &second
    port: 81
  - *second
  selector: {<<: *labels, tier: "front"}
status:
---
# second
apiVersion: v1
kind: ServiceList
items:
- metadata: {name: 'a'}
- metadata: {name: b, namespace: "c"}
  spec: {ports: [{port: 0}]}
`;

const json = `{
  "kind": "ServiceList", "apiVersion": "v1",
  "items": [
    { "metadata": { "name": "a😀", "x": 1 }, "spec": { "po\\u0072ts": [ {"port" : 80}, {"port":\t81 } ] } },
    {"metadata":{"name":"b","namespace":"c","name":"last"}}
  ]
}
{"kind":"Service","apiVersion":"v1"}
`;

type Case = readonly [document: number, path: JsonPath, place: string, part?: 'key'];

const yamlCases: readonly Case[] = [
  [0, [], '2:1 Service shop/web'],
  [0, ['metadata', 'name'], '5:9-12 Service shop/web'],
  [0, ['metadata', 'name'], '5:3-7 Service shop/web', 'key'],
  [0, ['metadata', 'labels', 'app'], '8:10-15 Service shop/web'],
  [0, ['metadata', 'labels', 'example.com/a'], '9:20-21 Service shop/web'],
  [0, ['metadata', 'generateName'], '5:3 Service shop/web'],
  [0, ['spec', 'ports', 0, 'port'], '14:11-13 Service shop/web'],
  [0, ['spec', 'ports', 0, 'protocol'], '13:5 Service shop/web'],
  [0, ['spec', 'ports', 1, 'port'], '16:11-13 Service shop/web'],
  [0, ['spec', 'ports', 2], '17:5-12 Service shop/web'],
  [0, ['spec', 'ports', 2, 'port'], '16:11-13 Service shop/web'],
  [0, ['spec', 'ports', 7], '13:3 Service shop/web'],
  [0, ['spec', 'selector', 'tier'], '18:33-40 Service shop/web'],
  [0, ['spec', 'selector', 'app'], '8:10-15 Service shop/web'],
  [0, ['spec', 'missing', 'deep', 3], '11:3 Service shop/web'],
  [0, ['status', 'loadBalancer'], '19:1-7 Service shop/web'],
  [1, ['items', 0, 'metadata', 'name'], '25:20-23 Service a'],
  [1, ['items', 1, 'spec', 'ports', 0, 'port'], '27:25-26 Service c/b'],
  [1, ['items', 0, 'spec'], '25:3 Service a'],
];

const jsonCases: readonly Case[] = [
  [0, [], '1:1'],
  [0, ['items', 0, 'metadata', 'name'], '4:29-33 Service a😀'],
  [0, ['items', 0, 'metadata', 'x'], '4:40-41 Service a😀'],
  [0, ['items', 0, 'metadata', 'x'], '4:35-38 Service a😀', 'key'],
  [0, ['items', 0, 'spec', 'ports'], '4:69 Service a😀'],
  [0, ['items', 0, 'spec', 'ports', 1, 'port'], '4:95-97 Service a😀'],
  [0, ['items', 0, 'spec', 'type'], '4:53 Service a😀'],
  [0, ['items', 1, 'metadata', 'name'], '5:52-58 Service c/last'],
  [0, ['items', 9], '3:12'],
  [1, ['kind'], '8:9-18'],
];

for (const [name, text, cases] of [
  ['YAML', yaml, yamlCases],
  ['JSON', json, jsonCases],
  ['YAML with CRLF', yaml.replaceAll('\n', '\r\n'), yamlCases],
  ['JSON with CRLF', json.replaceAll('\n', '\r\n'), jsonCases],
] as const) {
  test(`paths are found in ${name}`, async () => {
    const { sources } = await load(['-'], { recursive: false, stdin: () => text }, ({ message }) =>
      assert.fail(message),
    );
    const locate = await createLocator(sources, [{ file: '<stdin>', document: 0, path: [] }]);
    for (const [document, path, expected, part] of cases) {
      const origin: Origin = { file: '<stdin>', document, path, ...(part === undefined ? {} : { part }) };
      const place = locate(origin);
      assert.ok(place);
      const { line, column, endColumn, object, lineText } = place;
      const end = endColumn === undefined ? '' : `-${endColumn}`;
      assert.equal(
        `${line}:${column}${end}${object === undefined ? '' : ` ${object}`}`,
        expected,
        JSON.stringify(path),
      );
      assert.equal(lineText, text.split(/\r?\n/)[line - 1]);
    }
  });
}

test('a text that is gone has no places', async () => {
  const locate = await createLocator({ textOf: () => undefined, formatOf: () => 'yaml' }, []);
  assert.equal(locate({ file: 'gone.yaml', document: 0, path: [] }), undefined);
});
