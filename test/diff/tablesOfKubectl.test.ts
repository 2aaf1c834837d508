import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const at = (name: string) => join(root, 'fixtures/first-aid', name);
const whole = readFileSync(at('getwide.txt'), 'utf8');
const cut = readFileSync(at('getwide2.txt'), 'utf8');
const withoutColumn = whole
  .split('\n')
  .filter((line) => /^(?:NAMESPACE|shop|$)/.test(line))
  .map((line) => line.slice(16))
  .join('\n');
const stale = (text: string) => text.replace('10.244.1.3:8080', '10.244.1.9:8080');
const moved = (text: string) => text.replace('443:31443', '443:31444');

interface Found {
  readonly id: string;
  readonly severity: string;
  readonly service: string | null;
  readonly seen: string;
}

interface Case {
  readonly name: string;
  readonly text: string;
  /** Services of the table that findings are about. */
  readonly differ: readonly string[];
  /** Every finding that the rules are too many for has to name one of these. */
  readonly beyond?: RegExp;
}

const ingress = 'ingress-nginx/ingress-nginx-controller:https';
const cases: readonly Case[] = [
  { name: 'what a table hides is as the rules have it', text: whole, differ: [] },
  { name: 'lines that end as on Windows', text: whole.replaceAll('\n', '\r\n'), differ: [] },
  { name: 'endpoints that are cut off are no errors', text: cut, differ: [] },
  { name: 'one namespace without its column', text: withoutColumn, differ: [], beyond: /the rule names shop\// },
  { name: 'an endpoint that only the whole table shows', text: stale(whole), differ: ['shop/web:http'] },
  { name: 'endpoints of a table that is cut are not judged', text: stale(cut), differ: [] },
  { name: 'a node port that only the table shows', text: moved(whole), differ: [ingress] },
];

for (const { name, text, differ, beyond } of cases) {
  test(`diff with a table of kubectl: ${name}`, () => {
    const args = ['diff', at('base.save'), '-f', '-', '--node', 'worker-1', '-o', 'json'];
    const { stdout, stderr } = runCli(args, { input: text });
    assert.notEqual(stdout, '', stderr);
    const { findings } = JSON.parse(stdout) as { findings: readonly Found[] };
    const errors = findings.filter(({ severity }) => severity === 'error');
    const own = new Set(errors.flatMap(({ service }) => (service === null ? [] : [service])));
    assert.deepEqual([...own], differ);
    if (beyond !== undefined) for (const { id, seen } of errors) if (id === 'K8N202') assert.match(seen, beyond);
  });
}
