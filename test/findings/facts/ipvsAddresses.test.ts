import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { ipvsAddresses } from '../../../src/findings/checks/node/ipvsAddresses.ts';
import { root } from '../../support/compileCase.ts';

/** What is said of a recorded node whose texts were changed; undefined leaves a text out. */
function seen(name: string, change: (text: string, file: string) => string | undefined = (text) => text) {
  const folder = join(root, 'golden/recorded/services', name, 'ipvs');
  const files = readdirSync(folder)
    .filter((file) => /^(?:addresses|ipset|ipvsadm)\./.test(file))
    .flatMap((file) => {
      const text = change(readFileSync(join(folder, file), 'utf8'), file);
      return text === undefined ? [] : [{ name: file, text }];
    });
  return ipvsAddresses(readDumps(files, { name })).map((finding) => `${finding.code} ${finding.what}`);
}

it('finds nothing wrong with any recorded node', () => {
  let count = 0;
  for (const name of readdirSync(join(root, 'golden/recorded/services'))) {
    assert.deepEqual(seen(name), [], name);
    // It can say something of each: an address more is one that nobody has.
    const more = (text: string, file: string) =>
      file === 'addresses.v4' && text.includes('/32') ? text.replace(/\d\S+(?=\/32)/, '10.99.9.9') : text;
    if (seen(name, more).length > 0) count += 1;
  }
  assert.ok(count > 30, `${count} nodes`);
});

it('names addresses that are missing and that nobody has, by routes too', () => {
  const swap = (text: string, file: string) =>
    file.startsWith('addr') ? text.replace('10.96.0.10', '10.99.9.9') : text;
  const both = ['K8N701 kube-ipvs0 lacks 10.96.0.10', 'K8N701 kube-ipvs0 has 10.99.9.9, which no Service has'];
  assert.deepEqual(seen('realistic-kube-system', swap), both);
  const routes = (text: string, file: string) =>
    file.startsWith('addr') ? swap(text, file).replace(/^(.*?)(?:\/32)?$/gm, 'local $1 dev kube-ipvs0') : text;
  assert.deepEqual(
    seen('realistic-kube-system', (text, file) => routes(text.trimEnd(), file)),
    both,
  );
});

it('says nothing where sets or virtual servers were not given', () => {
  const swap = (text: string) => text.replace('10.96.0.10', '10.99.9.9');
  for (const left of ['ipset', 'ipvsadm']) {
    assert.deepEqual(
      seen('realistic-kube-system', (text, file) =>
        file.startsWith(left) ? undefined : file.startsWith('addr') ? swap(text) : text,
      ),
      [],
      left,
    );
  }
});
