import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-check-'));
const file = join(folder, 'k8snet.yaml');
const golden = (name: string) => join(folder, 'golden', name);
const service = join(root, 'fixtures/services/lb-basic/manifests.yaml');

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'm'), { recursive: true });
  cpSync(service, join(folder, 'm/all.yaml'));
  writeFileSync(
    file,
    `defaults: { node: node-1 }
cases:
  - { name: by bytes, manifests: [m], golden: golden/a.save }
  - { name: by rules, manifests: [m], golden: golden/b.nft, compare: rules, options: { mode: nftables } }
  - { name: script, manifests: [m/all.yaml], golden: golden/c.sh, form: script }
`,
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

function check(args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  return runCli(['check', '-c', file, ...args], { environment });
}

describe('k8snet check', () => {
  it('says what is missing, writes it with --update, and then all is the same', () => {
    const first = check();
    assert.equal(first.status, 1, first.stderr);
    assert.match(first.stdout, /^missing by bytes\n(?:.*\n)*3 cases: 3 missing\n$/);

    const update = check(['--update']);
    assert.equal(update.status, 0, update.stderr);
    assert.match(update.stdout, /3 cases: 3 updated\n$/);
    assert.deepEqual(readdirSync(join(folder, 'golden')), ['a.save', 'b.nft', 'c.sh']);
    assert.match(readFileSync(golden('a.save'), 'utf8'), /^\*mangle\n/);
    assert.equal(statSync(golden('c.sh')).mode & 0o111, 0o111);

    const again = check();
    assert.equal(again.status, 0, again.stderr);
    assert.equal(again.stdout, 'same    by bytes\nsame    by rules\nsame    script\n3 cases: 3 same\n');
    assert.equal(check(['-q']).stdout, '3 cases: 3 same\n');
  });

  it('reports to other programs: JSON by its schema, SARIF, JUnit, annotations', () => {
    check(['--update']);
    const text = readFileSync(golden('a.save'), 'utf8');
    writeFileSync(golden('a.save'), `# made by hand\n${text}`);
    rmSync(golden('c.sh'));
    const { status, stdout, stderr } = check(['-o', 'json']);
    assert.equal(status, 1);
    assert.equal(stderr, '');
    const schema = JSON.parse(readFileSync(join(root, 'schema/check-output.schema.json'), 'utf8'));
    const validator = new Ajv().compile(schema);
    const value = JSON.parse(stdout) as { cases: Record<string, unknown>[] };
    assert.ok(validator(value) as boolean, JSON.stringify(validator.errors));
    assert.deepEqual(
      value.cases.map(({ name, outcome, line }: Record<string, unknown>) => [name, outcome, line]),
      [
        ['by bytes', 'differs', 1],
        ['by rules', 'same', undefined],
        ['script', 'missing', undefined],
      ],
    );
    const [run] = JSON.parse(check(['-o', 'sarif']).stdout).runs;
    assert.deepEqual(
      run.results.map(({ ruleId }: { ruleId: string }) => ruleId),
      ['golden-differs', 'golden-missing'],
    );
    assert.match(run.results[0].locations[0].physicalLocation.artifactLocation.uri, /golden\/a\.save$/);
    const junit = check(['-o', 'junit']).stdout;
    assert.match(junit, /<testsuites name="k8snet" tests="4" failures="3" errors="0">/);
    assert.match(junit, /<testcase name="by rules" /);
    const github = check(['-o', 'github'], { GITHUB_WORKSPACE: folder }).stdout;
    assert.match(github, /^::error file=golden\/a\.save,line=1,title=golden-differs by bytes::case by bytes: /m);
    assert.match(github, /^k8snet: 3 cases: 1 same, 1 differs, 1 missing$/m);
    check(['--update']);
  });

  it('shows what differs, beside the golden file in GitHub Actions', () => {
    check(['--update']);
    const text = readFileSync(golden('a.save'), 'utf8');
    writeFileSync(golden('a.save'), `# made by hand\n${text.replaceAll('10.244.1.10', '10.244.1.99')}`);
    writeFileSync(golden('b.nft'), `# made by hand\n${readFileSync(golden('b.nft'), 'utf8')}`);

    const { status, stdout } = check([], { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder });
    assert.equal(status, 1);
    assert.match(stdout, /^-.*10\.244\.1\.99/m);
    assert.match(stdout, /^\+.*10\.244\.1\.10/m);
    assert.match(stdout, /^::error file=golden\/a\.save,line=1,title=k8snet check by bytes::/m);
    assert.match(stdout, /^differs by bytes\nsame {4}by rules\nsame {4}script\n3 cases: 2 same, 1 differs\n$/m);
    assert.doesNotMatch(check().stdout, /::error/);

    assert.equal(check(['--update', 'by bytes']).status, 0);
    assert.equal(readFileSync(golden('a.save'), 'utf8'), text);
    assert.match(readFileSync(golden('b.nft'), 'utf8'), /^# made by hand/);
  });

  it('lets nothing of a golden file act on a terminal or on the log of a CI', () => {
    check(['--update']);
    const text = readFileSync(golden('a.save'), 'utf8');
    const lines = text.split('\n');
    writeFileSync(golden('a.save'), ['\u001b[31mred', '::error::owned', ...lines.slice(1)].join('\n'));
    const { stdout } = check(['by bytes']);
    assert.ok(!stdout.includes('\u001b'));
    assert.doesNotMatch(stdout, /^\s*::/m);
  });

  it('ends with 2 on wrong manifests, options and names, and compares the others all the same', () => {
    check(['--update']);
    writeFileSync(
      file,
      `cases:
  - { name: manifests, manifests: [gone.yaml], golden: golden/x }
  - { name: option, manifests: [m], golden: golden/y, options: { nodeIp: 300.1.1.1 } }
  - { name: fine, manifests: [m], golden: golden/a.save, options: { node: node-1 } }
`,
    );
    const { status, stdout, stderr } = check();
    assert.equal(status, 2);
    assert.match(stdout, /^failed {2}manifests\nfailed {2}option\nsame {4}fine\n3 cases: 1 same, 2 failed\n$/m);
    assert.match(stderr, /error cannot-read: .*gone\.yaml/);
    assert.match(stderr, /k8snet\.yaml:3:\d+ error bad-option: .*300\.1\.1\.1/);
    assert.deepEqual(readdirSync(join(folder, 'golden')), ['a.save', 'b.nft', 'c.sh']);

    const unknown = check(['nope']);
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /case "nope" not found/);
  });

  it('ends with 2 where there is no file', () => {
    rmSync(file);
    const { status, stdout, stderr } = check();
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /error cannot-read: /);
  });

  it('takes what compile prints, of each mode and form, for the same', () => {
    const asked = [
      ['ipvs', 'json'],
      ['ipvs', 'save'],
      ['nftables', 'script'],
    ] as const;
    mkdirSync(join(folder, 'golden'));
    const cases = asked.map(([mode, form]) => {
      const options = ['--mode', mode, '--node', 'node-1', '-o', form];
      const compiled = runCli(['compile', '-f', join(folder, 'm'), ...options]);
      writeFileSync(golden(`${mode}.${form}`), compiled.stdout);
      return `  - { name: ${mode} ${form}, manifests: [m], golden: golden/${mode}.${form}, form: ${form}, options: { mode: ${mode}, node: node-1 } }`;
    });
    writeFileSync(file, `cases:\n${cases.join('\n')}\n`);
    const { status, stdout } = check();
    assert.equal(status, 0, stdout);
  });
});
