import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic, Origin } from '../../src/diagnostics/diagnostic.ts';
import type { Locate } from '../../src/diagnostics/place.ts';
import { printPath } from '../../src/diagnostics/printPath.ts';
import { renderJson } from '../../src/diagnostics/renderJson.ts';
import { renderText } from '../../src/diagnostics/renderText.ts';
import { plainDiagnosticStyle } from '../../src/diagnostics/style.ts';

const here: Origin = { file: 'shop/b.yaml', document: 1, path: ['spec', 'clusterIP'] };
const there: Origin = { file: 'shop/a.yaml', document: 0, path: ['spec', 'clusterIP'] };
const gone: Origin = { file: 'gone\x1b.yaml', document: 0, path: [] };

const locate: Locate = (origin) => {
  if (origin.file === gone.file) return undefined;
  const lineText = '  clusterIP: 10.96.0.10';
  const line = origin.file === here.file ? 31 : 9;
  const place = { line, column: 14, endColumn: 24, lineText, index: 13, pathText: printPath(origin.path) };
  return { ...place, object: `Service shop/${origin.file[5]}` };
};

const both: Diagnostic = {
  code: 'duplicate-key',
  severity: 'error',
  message: 'shop/b:http has the cluster IP and port of shop/a:http: 10.96.0.10:80/tcp',
  at: [here, there],
  hint: 'leave spec.clusterIP out and let one be assigned',
};

test('a diagnostic is printed with its line, its other places and its hint', () => {
  assert.equal(
    renderText([both], locate, plainDiagnosticStyle),
    `shop/b.yaml:31:14 error duplicate-key: shop/b:http has the cluster IP and port of shop/a:http: 10.96.0.10:80/tcp
  31 |   clusterIP: 10.96.0.10          spec.clusterIP
     |              ^^^^^^^^^^
shop/a.yaml:9:14 also here: Service shop/a
  hint: leave spec.clusterIP out and let one be assigned
`,
  );
});

test('a diagnostic of the command line has no place, one of a lost file no line', () => {
  const ofCommandLine: Diagnostic = {
    code: 'bad-option',
    severity: 'error',
    message: 'no \x1b[2J such option',
    at: [],
  };
  const ofLost: Diagnostic = { code: 'no-objects', severity: 'warning', message: 'no objects found', at: [gone] };
  assert.equal(
    renderText([ofCommandLine, ofLost], locate, plainDiagnosticStyle),
    'error bad-option: no \\x1b[2J such option\ngone\\x1b.yaml warning no-objects: no objects found\n',
  );
  assert.equal(renderText([], locate, plainDiagnosticStyle), '');
});

test('the path of a missing field is its own', () => {
  const missing: Diagnostic = { ...both, at: [here], path: 'spec.ports' };
  assert.match(renderText([missing], locate, plainDiagnosticStyle), /clusterIP: 10\.96\.0\.10 {10}spec\.ports\n/);
});

test('colours wrap the parts and change nothing else', () => {
  const mark = (text: string): string => `<${text}>`;
  const style = { place: mark, severity: mark, code: mark, margin: mark, caret: mark, path: mark, hint: mark };
  const coloured = renderText([both], locate, style);
  assert.match(coloured, /^<shop\/b\.yaml:31:14> <error> <duplicate-key>: /);
  assert.equal(coloured.replaceAll(/[<>]/g, ''), renderText([both], locate, plainDiagnosticStyle));
});

test('of too many the errors are shown and the rest is counted', () => {
  const note: Diagnostic = { code: 'no-objects', severity: 'note', message: 'note', at: [] };
  const many = [...Array.from({ length: 150 }, () => ({ ...note })), { ...both, at: [] }];
  const lines = renderText(many, locate, plainDiagnosticStyle).trimEnd().split('\n');
  assert.equal(lines.filter((line) => line.includes('note no-objects')).length, 99);
  assert.ok(lines.some((line) => line.startsWith('error duplicate-key')));
  assert.equal(lines.at(-1), 'and 51 notes more');
});

test('many places of one diagnostic are counted', () => {
  const text = renderText([{ ...both, at: Array.from({ length: 10 }, () => here) }], locate, plainDiagnosticStyle);
  assert.equal(text.match(/also here/g)?.length, 5);
  assert.match(text, /\n {2}and at 4 more places\n/);
});

test('a message of megabytes is cut', () => {
  assert.ok(renderText([{ ...both, message: 'x'.repeat(1e6) }], locate, plainDiagnosticStyle).length < 1000);
});

test('JSON has the same fields', () => {
  const value = JSON.parse(renderJson([both, { ...both, at: [gone], path: 'spec.ports' }], locate));
  assert.deepEqual(value.version, 1);
  assert.deepEqual(value.omitted, { error: 0, warning: 0, note: 0 });
  assert.deepEqual(value.diagnostics[0], {
    code: 'duplicate-key',
    severity: 'error',
    message: both.message,
    path: 'spec.clusterIP',
    hint: both.hint,
    at: [
      { ...here, line: 31, column: 14, endColumn: 24, object: 'Service shop/b' },
      { ...there, line: 9, column: 14, endColumn: 24, object: 'Service shop/a' },
    ],
  });
  assert.deepEqual(value.diagnostics[1].at, [gone]);
  assert.equal(value.diagnostics[1].path, 'spec.ports');
  assert.doesNotMatch(renderJson([{ ...both, message: '\u202e\x9b' }], locate), /[\u202e\x9b]/);
});

test('paths are spelled as Kubernetes spells them', () => {
  assert.equal(printPath([]), '');
  assert.equal(printPath(['items', 3, 'spec', 'ports', 0, 'node-port']), 'items[3].spec.ports[0].node-port');
  assert.equal(printPath(['metadata', 'annotations', 'example.com/a']), 'metadata.annotations[example.com/a]');
});
