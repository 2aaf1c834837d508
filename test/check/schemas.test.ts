import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { jsonForm } from '../../src/output/jsonForm.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

function validator(name: string): (value: unknown) => string {
  const schema = JSON.parse(readFileSync(join(root, 'schema', name), 'utf8'));
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  return (value) => (isValid(value) ? '' : JSON.stringify(isValid.errors));
}

describe('schemas of outputs', () => {
  it('compile -o json keeps to its schema, in every mode', async () => {
    const problems = validator('compile-output.schema.json');
    const cases = readdirSync(join(root, 'fixtures/services')).filter((_, index) => index % 4 === 0);
    for (const name of cases) {
      for (const mode of ['iptables', 'ipvs', 'nftables']) {
        const { compiled, artefacts } = await compileCase(`services/${name}`, '--mode', mode);
        assert.ok(compiled !== undefined, name);
        const text = [...jsonForm(compiled, [...artefacts.values()])].join('');
        assert.equal(problems(JSON.parse(text)), '', `${name} ${mode}`);
      }
    }
    assert.notEqual(problems({ schema: 'k8snet.compile/v2' }), '');
  });

  it('versions -o json keeps to its schema, whatever it is asked', () => {
    const problems = validator('versions-output.schema.json');
    const dump = join(root, 'golden/recorded/nft-dialects/lb-basic/1.33/nft.v4.save');
    for (const args of [[], ['--explain-version', '1.36'], ['--between', '1.18', '1.36'], ['--detect', dump]]) {
      const { stdout, status } = runCli(['versions', ...args, '-o', 'json']);
      assert.equal(status, 0);
      assert.equal(problems(JSON.parse(stdout)), '', args.join(' '));
    }
    assert.notEqual(problems({ schema: 'k8snet.versions/v1', versions: [{}] }), '');
  });

  it('the example of the documentation keeps to the schema of k8snet.yaml', async () => {
    const { parseAllDocuments } = await import('yaml');
    const problems = validator('k8snet.schema.json');
    const text = readFileSync(join(root, 'docs/check.md'), 'utf8');
    const block = /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(text)?.[1] ?? '';
    const [document] = parseAllDocuments(block);
    assert.equal(problems((document as { toJS: () => unknown }).toJS()), '');
    assert.notEqual(problems({ cases: [] }), '');
  });

  it('the hooks and the action are YAML and run commands that exist', async () => {
    const { parse } = await import('yaml');
    const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly { entry: string }[];
    assert.deepEqual(
      hooks.map(({ entry }) => entry.split(' ')[1]),
      ['check', 'lint'],
    );
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
      readonly runs: { readonly steps: readonly { readonly run: string }[] };
    };
    // Inputs inside the script would be read as code.
    for (const { run } of action.runs.steps) assert.doesNotMatch(run, /\$\{\{/);
  });
});
