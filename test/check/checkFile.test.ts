import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CheckCase } from '../../src/check/checkCase.ts';
import { readCheckFile } from '../../src/check/readCheckFile.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'k8snet-check-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function read(text: string): Promise<{ cases: readonly CheckCase[]; said: readonly Diagnostic[] }> {
  const said: Diagnostic[] = [];
  const file = join(folder, 'k8snet.yaml');
  writeFileSync(file, text);
  const { cases } = await readCheckFile(file, (diagnostic) => said.push(diagnostic));
  return { cases, said };
}

describe('k8snet.yaml', () => {
  it('gives cases with defaults filled in and paths beside the file', async () => {
    const { cases, said } = await read(`
version: 1
defaults: { kubeVersion: '1.29', mode: ipvs, masqueradeAll: false }
cases:
  - name: a
    manifests: [m, /abs/n.yaml]
    golden: golden/a.save
  - name: b
    manifests: [m]
    recursive: true
    options:
      mode: nftables
      masqueradeAll: true
      allocate: false
      config: proxy.yaml
      nodeAddress: [10.0.0.5/24, 10.0.1.5/24]
      nodeportAddresses: [10.0.0.0/8, 192.168.0.0/16]
      iptablesMasqueradeBit: 15
    form: json
    compare: rules
    golden: b.json
`);
    assert.deepEqual(said, []);
    const [a, b] = cases;
    assert.deepEqual(a?.manifests, [join(folder, 'm'), '/abs/n.yaml']);
    assert.deepEqual([a?.isRecursive, a?.form, a?.compare], [false, 'save', 'bytes']);
    assert.deepEqual(a?.options, ['--kube-version=1.29', '--mode=ipvs']);
    assert.equal(a?.golden, join(folder, 'golden/a.save'));
    assert.deepEqual([b?.isRecursive, b?.form, b?.compare], [true, 'json', 'rules']);
    assert.deepEqual(b?.options, [
      '--kube-version=1.29',
      '--mode=nftables',
      '--masquerade-all',
      '--no-allocate',
      `--config=${join(folder, 'proxy.yaml')}`,
      '--node-address=10.0.0.5/24',
      '--node-address=10.0.1.5/24',
      '--nodeport-addresses=10.0.0.0/8,192.168.0.0/16',
      '--iptables-masquerade-bit=15',
    ]);
  });

  it('takes what is to be ignored, for reports, and compares all the same', async () => {
    const { cases, said } = await read(
      'ignore: [K8N307, { id: k8n502, service: shop/web }]\ncases: [{ name: a, manifests: [m], golden: g }]\n',
    );
    assert.deepEqual(said, []);
    assert.equal(cases.length, 1);
  });

  const bad: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['no cases', 'version: 1\n', /missing-field: cases is required/],
    ['an empty list', 'cases: []\n', /wrong-item-count: cases must contain at least 1 item/],
    ['no golden file', 'cases: [{ name: a, manifests: [m] }]\n', /missing-field: cases\[0\]\.golden is required/],
    ['a field that is none', 'cases: [{ name: a, manifests: [m], golden: g, froms: save }]\n', /unknown-field/],
    [
      'an option that is none',
      'defaults: { kubeversion: x }\ncases: [{ name: a, manifests: [m], golden: g }]\n',
      /kubeversion/,
    ],
    [
      'a number for a version',
      'defaults: { kubeVersion: 1.30 }\ncases: [{ name: a, manifests: [m], golden: g }]\n',
      /expected a string, got the number 1\.3/,
    ],
    ['a form that is none', 'cases: [{ name: a, manifests: [m], golden: g, form: yaml }]\n', /unsupported-value/],
    ['a version of later', 'version: 2\ncases: [{ name: a, manifests: [m], golden: g }]\n', /unsupported-value/],
    ['a scalar', 'cases\n', /wrong-type/],
    ['two documents', 'cases: [{ name: a, manifests: [m], golden: g }]\n---\ncases: []\n', /more than one document/],
    [
      'one name twice',
      'cases: [{ name: a, manifests: [m], golden: g }, { name: a, manifests: [m], golden: h }]\n',
      /two cases have the name "a"/,
    ],
    [
      'one golden file twice',
      'cases: [{ name: a, manifests: [m], golden: g }, { name: b, manifests: [m], golden: ./g }]\n',
      /two cases have the golden/,
    ],
    ['a golden file outside', 'cases: [{ name: a, manifests: [m], golden: x/../../g }]\n', /below the folder/],
    ['an absolute golden file', 'cases: [{ name: a, manifests: [m], golden: /etc/passwd }]\n', /below the folder/],
    ['standard input', "cases: [{ name: a, manifests: ['-'], golden: g }]\n", /standard input/],
    [
      'a script by rules',
      'cases: [{ name: a, manifests: [m], golden: g, form: script, compare: rules }]\n',
      /only be compared by bytes/,
    ],
    ['broken YAML', 'cases: [\n', /yaml-syntax/],
    ['ignored findings without cases', 'ignore: [K8N307]\n', /missing-field: cases is required/],
    [
      'an ignored word that is not a finding',
      'ignore: [K8N999]\ncases: [{ name: a, manifests: [m], golden: g }]\n',
      /unknown-finding: K8N999 is not a finding/,
    ],
    ['an ignored number', 'ignore: [307]\ncases: [{ name: a, manifests: [m], golden: g }]\n', /wrong-type/],
  ];
  for (const [what, text, message] of bad) {
    it(`refuses ${what}, at its place`, async () => {
      const { cases, said } = await read(text);
      assert.deepEqual(cases, []);
      assert.match(said.map(({ code, message: words }) => `${code}: ${words}`).join('\n'), message);
      assert.ok(said.every(({ severity, at }) => severity === 'error' && at.length > 0));
    });
  }

  it('must not be empty', async () => {
    for (const text of ['', '# nothing\n', '---\n', 'null\n']) {
      const { cases, said } = await read(text);
      assert.deepEqual(cases, []);
      assert.deepEqual(
        said.map(({ severity, code }) => `${severity} ${code}`),
        ['error bad-check-file'],
        JSON.stringify(text),
      );
    }
  });

  it('refuses a golden file that is an input, under whatever name', async () => {
    const manifests = join(folder, 'in');
    mkdirSync(join(manifests, 'below'), { recursive: true });
    for (const name of ['in/a.yaml', 'proxy.yaml']) writeFileSync(join(folder, name), '');
    symlinkSync('in/a.yaml', join(folder, 'soft'));
    linkSync(join(manifests, 'a.yaml'), join(folder, 'hard'));
    const golden = async (name: string, ...options: readonly string[]) =>
      (
        await read(`cases:
  - { name: x, manifests: [in], golden: "${name}", ${options.join(', ')} }
  - { name: other, manifests: [in/a.yaml], golden: fine.save, options: { config: proxy.yaml } }
`)
      ).said.map(({ message }) => message);
    for (const name of ['in/a.yaml', './in/../in/a.yaml', 'soft', 'hard', 'proxy.yaml', 'k8snet.yaml', 'in/new.json']) {
      assert.match((await golden(name)).join(), /^this is also an input/, name);
    }
    assert.match((await golden('in/below/new.yml', 'recursive: true')).join(), /^this is also an input/);
    for (const name of ['in/new.save', 'in/below/new.yml', 'new.json']) assert.deepEqual(await golden(name), [], name);
  });
});
