import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** A dump that shows only a part of the rules says nothing about an address that is not in it. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-cut-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const items = [0, 1, 2, 3].flatMap((at) => {
  const metadata = { name: `s${at}`, namespace: 'shop' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { clusterIP: `10.96.0.${10 + at}`, ports: [{ name: 'http', port: 80 }] },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': metadata.name } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints: [{ addresses: [`10.244.1.${10 + at}`], conditions: { ready: true } }],
    },
  ];
});
const manifests = join(folder, 'cluster.json');
writeFileSync(manifests, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
const saved = runCli(['compile', '-f', manifests, '--family', 'ipv4', '-o', 'save']).stdout;
const packet = ['--from', '10.244.1.200', '--to', '10.96.0.13:80'];

const upTo = (text: string, end: RegExp) => text.slice(0, text.search(end));
const dumps: Readonly<Record<string, readonly [text: string, says: RegExp]>> = {
  'cut within the rules for Services': [
    upTo(saved, /^-A KUBE-SERVICES -d 10\.96\.0\.12/m),
    /^The dump shows a part of the table nat, and no rule for 10\.96\.0\.13:80\/tcp in it: whether the node has one is unknown\./,
  ],
  'cut before the first rule of nat': [
    upTo(saved, /(?<=\*nat\n[\s\S]*)^-A/m),
    /^The dump shows a part of the table nat/,
  ],
  'cut before nat': [upTo(saved, /^-A KUBE-FORWARD.*\n(?=[^*]*\*nat)/m), /^The dump ends within the table filter/],
  'of the table filter alone': [/^\*filter$[\s\S]*?^COMMIT\n/m.exec(saved)?.[0] ?? '', /^The dump has no table nat/],
  'of the lines of another Service': [
    `${saved.match(/^.*shop\/s1.*$/gm)?.join('\n')}\n`,
    /^The dump shows a part of the table nat/,
  ],
};

for (const [what, [text, says]] of Object.entries(dumps)) {
  describe(`a dump ${what}`, () => {
    const dump = join(folder, `${what.replaceAll(' ', '-')}.save`);
    writeFileSync(dump, text);
    for (const objects of [[], ['-f', manifests]]) {
      it(`leaves open whether the packet is translated${objects.length > 0 ? ', also beside objects' : ''}`, () => {
        const { status, stdout } = runCli(['why', dump, ...objects, ...packet]);
        assert.match(stdout, says);
        assert.match(stdout, /→ Give the whole dump/);
        assert.equal(status, 3);
      });
    }
  });
}

it('a whole dump without the rule, and one without its table nat, say that none is there', () => {
  const without = saved.replace(/^-A KUBE-SERVICES -d 10\.96\.0\.13.*\n/m, '');
  const withoutNat = saved.replace(/^\*nat$[\s\S]*?^COMMIT\n/m, '');
  for (const [name, text] of Object.entries({ without, withoutNat })) {
    const dump = join(folder, `${name}.save`);
    writeFileSync(dump, text);
    const { status, stdout } = runCli(['why', dump, '-f', manifests, ...packet]);
    assert.match(stdout, /No rule of this node has the address 10\.96\.0\.13: by the objects it is shop\/s3/);
    assert.equal(status, 1);
  }
});
