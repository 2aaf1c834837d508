import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';

const broken = 'fixtures/lint-broken';

describe('lint', () => {
  for (const name of readdirSync(join(root, 'fixtures/published'))) {
    it(`says one line of valid manifests: ${name}`, () => {
      const { status, stdout, stderr } = runCli(['lint', '-f', `fixtures/published/${name}`]);
      assert.equal(status, 0);
      assert.equal(stderr, '');
      assert.match(stdout, /^\d+ objects checked, \d+ of other kinds skipped: no problems\n$/);
      assert.equal(runCli(['lint', '-f', `fixtures/published/${name}`, '--fail-on', 'note', '-q']).stdout, '');
    });
  }

  it('says what is wrong among objects where one of them has an error, and misses nothing in its place', () => {
    const service = (name: string, ip: string, rest = '') =>
      `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {clusterIP: ${ip}, ${rest}ports: [{port: 80}]}\n`;
    const codesOf = (...documents: readonly string[]) => {
      const args = ['lint', '-f', '-', '--service-cidr', '10.96.0.0/12', '-o', 'json'];
      const { status, stdout } = runCli(args, { input: documents.join('---\n') });
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
      return { status, codes: diagnostics.map(({ code }) => code) };
    };
    const twice = [service('one', '10.96.0.9'), service('two', '10.96.0.9')];
    const { status, codes } = codesOf(service('far', '10.1.2.3'), ...twice);
    assert.equal(status, 2);
    assert.ok(codes.includes('cluster-ip-outside-range') && codes.includes('duplicate-cluster-ip'), codes.join());
    // Of a Pod with an error nobody knows what the selector of the Service would find.
    const pod = (port: number) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {app: a}}\nspec: {containers: [{name: c, image: i, ports: [{containerPort: ${port}}]}]}\n`;
    const selecting = service('web', '10.96.0.10', 'selector: {app: b}, ');
    assert.ok(codesOf(selecting, pod(80)).codes.includes('selector-matches-nothing'));
    const { codes: ofBad } = codesOf(selecting, pod(70000));
    assert.ok(ofBad.includes('out-of-range'));
    assert.ok(!ofBad.includes('selector-matches-nothing') && !ofBad.includes('no-endpoints'), ofBad.join());
  });

  it('lists with -v and in JSON what the cluster would fill in', () => {
    const args = ['lint', '-f', 'fixtures/published/blog'];
    const { stdout } = runCli([...args, '-v']);
    assert.match(stdout, /warning allocated-cluster-ip: Service default\/wordpress has no cluster IP; using 10\./);
    assert.match(stdout, /note skipped-kinds: .*PersistentVolumeClaim \(2\)/);
    const { diagnostics } = JSON.parse(runCli([...args, '-o', 'json']).stdout);
    const codes = diagnostics.map(({ code }: { code: string }) => code);
    assert.ok(codes.includes('allocated-cluster-ip') && codes.includes('skipped-kinds'));
  });

  const extensions = { text: 'txt', json: 'json', sarif: 'sarif', junit: 'junit.xml', github: 'github.txt' };
  for (const [form, extension] of Object.entries(extensions)) {
    it(`prints problems by file and line as ${form}`, () => {
      // The order of the arguments is not that of the report.
      const files = ['-f', `${broken}/b.yaml`, '-f', `${broken}/a.yaml`];
      const { status, stdout, stderr } = runCli(['lint', ...files, '-o', form]);
      assert.equal(status, 2);
      assert.equal(stderr, '');
      // What is compared is of no release.
      const tool = `"name":"k8snet","version":${JSON.stringify(runCli(['--version']).stdout.trim())}`;
      const unreleased = stdout.replace(tool, '"name":"k8snet","version":"0.0.0-source"');
      assertGolden(`lint-forms/broken.${extension}`, unreleased);
    });
  }

  it('gives equal hints once', () => {
    const { stdout } = runCli(['lint', '-f', broken]);
    assert.equal(stdout.match(/unknown-field/g)?.length, 2);
    assert.equal(stdout.match(/hint: did you mean selector/g)?.length, 1);
  });

  it('leaves out what --ignore names, and nothing else', () => {
    const { status, stdout } = runCli(['lint', '-f', broken, '--ignore', 'duplicate-cluster-ip,leading-zero-address']);
    assert.equal(status, 0);
    assert.doesNotMatch(stdout, /duplicate-cluster-ip|leading-zero/);
    assert.match(stdout, /unknown-field/);
    const refused = runCli(['lint', '-f', broken, '--ignore', 'unknown-feild']);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /unknown-feild is not a diagnostic code; did you mean unknown-field\?/);
  });

  it('fails from the severity of --fail-on on', () => {
    const args = ['lint', '-f', broken, '--ignore', 'duplicate-cluster-ip,leading-zero-address'];
    assert.equal(runCli([...args, '--fail-on', 'warning']).status, 1);
    assert.equal(runCli([...args, '--fail-on', 'error']).status, 0);
    assert.equal(runCli(['lint', '-f', broken, '--fail-on', 'warning']).status, 2);
  });

  it('warns of a Service without endpoints where the input has those of others', () => {
    const service = (name: string) =>
      `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { selector: { app: ${name} }, ports: [{ port: 80 }] }\n`;
    const pod =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a, labels: { app: a } }\nspec: { containers: [{ name: a, image: a }] }\nstatus: { podIP: 10.244.0.5, phase: Running }\n';
    const without = runCli(['lint', '-f', '-'], { input: service('b') });
    assert.equal(without.stdout, '1 object checked: no problems\n');
    const { stdout } = runCli(['lint', '-f', '-'], { input: [service('b'), pod].join('---\n') });
    assert.match(stdout, /warning (?:no-endpoints|selector-matches-nothing): .*(?:default\/b|app=b)/);
  });

  it('json keeps to its schema', () => {
    const schema = JSON.parse(readFileSync(join(root, 'schema/lint-output.schema.json'), 'utf8'));
    const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
    for (const path of [broken, 'fixtures/published/shop']) {
      assert.ok(isValid(JSON.parse(runCli(['lint', '-f', path, '-o', 'json']).stdout)), JSON.stringify(isValid.errors));
    }
    assert.equal(isValid({ version: 1, diagnostics: [{}] }), false);
  });
});

describe('what compile says of valid manifests', () => {
  it('puts what was filled in into one line each', () => {
    const { status, stderr } = runCli(['compile', '-f', 'fixtures/published/shop', '--assume-pods']);
    assert.equal(status, 0);
    assert.equal(
      stderr,
      [
        'note skipped-kinds: skipped 12 objects of kinds that give no rules: ServiceAccount (12)',
        'warning allocated-cluster-ip: 12 Services got cluster IPs and 1 node port; -v lists them',
        'note assumed-pods: Pods are assumed for 12 workloads; -v lists them',
        '',
      ].join('\n'),
    );
    const { stderr: whole } = runCli(['compile', '-f', 'fixtures/published/shop', '--assume-pods', '-v']);
    assert.equal(whole.match(/allocated-cluster-ip/g)?.length, 12);
    assert.match(whole, /1 Pod is assumed for Deployment default\/cart/);
  });

  it('leaves out warnings that --ignore names', () => {
    const { status, stderr } = runCli([
      ...['compile', '-f', 'fixtures/published/shop', '--assume-pods'],
      ...['--ignore', 'allocated-cluster-ip,allocated-node-port', '--ignore', 'skipped-kinds'],
    ]);
    assert.equal(status, 0);
    assert.equal(stderr, 'note assumed-pods: Pods are assumed for 12 workloads; -v lists them\n');
  });

  it('names a value that is the only one', () => {
    const { stderr } = runCli(['compile', '-f', 'fixtures/published/metrics-server', '--assume-pods']);
    assert.match(
      stderr,
      /^warning allocated-cluster-ip: Service kube-system\/metrics-server has no cluster IP; using 10\.[\d.]+, the cluster may choose a different one$/m,
    );
  });

  it('puts many Services without endpoints into one line', () => {
    const { stderr } = runCli(['compile', '-f', 'fixtures/published/shop']);
    assert.match(stderr, /^warning no-endpoints: 12 Services have no endpoints in the input: .*; -v lists them$/m);
    assert.match(stderr, /hint: --assume-pods makes up the Pods of their workloads/);
  });
});
