import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-empty-'));
const out = join(folder, 'out');
after(() => rmSync(folder, { recursive: true, force: true }));

/** What a failed or filtered `kubectl get` gives. */
const empty = {
  nothing: '',
  'an empty List': '{"apiVersion": "v1", "kind": "List", "items": []}',
  'a kind that is not read': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
};
const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n';
const headless = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {clusterIP: None, ports: [{port: 80}]}\n';

function run(input: string, ...args: readonly string[]) {
  return runCli([...args, '-f', '-'], { input });
}

describe('input without Services', () => {
  for (const [name, input] of Object.entries({ ...empty, 'only a Node': node })) {
    it(`${name}: nothing is printed that would empty a node`, () => {
      for (const form of [
        ['-o', 'script'],
        ['-o', 'restore', '--mode', 'nftables'],
        ['--out-dir', out],
        ['--policy-only', '-o', 'script'],
      ]) {
        const { status, stdout, stderr } = run(input, 'compile', ...form);
        assert.equal(status, 2, form.join(' '));
        assert.equal(stdout, '');
        assert.match(stderr, form[0] === '--policy-only' ? /no NetworkPolicies/ : /no Services in the input/);
      }
      assert.ok(!existsSync(out));
    });
  }

  it('--allow-empty says that it is meant', () => {
    const { status, stdout } = run('', 'compile', '-o', 'script', '--allow-empty');
    assert.equal(status, 0);
    assert.match(stdout, /^#!\/bin\/sh\n/);
  });

  it('only looking at it is allowed, and a headless Service is a Service', () => {
    assert.equal(run('', 'compile').status, 0);
    assert.equal(run(headless, 'compile', '-o', 'restore').status, 0);
  });

  it('--all-nodes is no way around', () => {
    const { status, stderr } = run(node, 'compile', '--all-nodes', '--out-dir', out);
    assert.equal(status, 2);
    assert.match(stderr, /no Services in the input/);
    assert.ok(!existsSync(out));
  });

  it('k8snet check writes no such golden file, unless a case allows it', () => {
    writeFileSync(join(folder, 'node.yaml'), node);
    const file = (option: string) =>
      `cases: [{name: a, manifests: [node.yaml], golden: a.sh, form: script, options: {${option}}}]\n`;
    writeFileSync(join(folder, 'k8snet.yaml'), file(''));
    const refused = runCli(['check', '--update'], { cwd: folder });
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /no Services in the input/);
    writeFileSync(join(folder, 'k8snet.yaml'), file('allowEmpty: true'));
    assert.equal(runCli(['check', '--update'], { cwd: folder }).status, 0);
  });
});

describe('lint of nothing', () => {
  for (const [name, input] of Object.entries(empty)) {
    it(`${name}: exit code 2`, () => {
      const { status, stdout } = run(input, 'lint');
      assert.equal(status, 2);
      assert.match(stdout, /error no-objects: nothing to check/);
      assert.equal(run(input, 'lint', '--allow-empty').status, 0);
    });
  }

  it('anything that is read is something', () => {
    for (const input of [
      node,
      headless,
      'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n',
    ]) {
      assert.equal(run(input, 'lint').status, 0);
    }
  });
});

describe('an empty dump', () => {
  it('is told before what the command line lacks, and as empty', () => {
    for (const args of [
      ['convert', '-'],
      ['versions', '--detect', '-'],
    ]) {
      const { status, stderr } = runCli(args, { input: '' });
      assert.equal(status, 2);
      assert.match(stderr, /^error not-a-dump: standard input is empty$/m);
    }
    const { stderr } = runCli(['convert', 'fixtures/first/dump.txt']);
    assert.match(stderr, /^error bad-option: say what to convert to/);
  });
});

describe('diff of a node with manifests without Services', () => {
  const dump = 'fixtures/first/dump.txt';

  it('is refused: all of its Services would look left over', () => {
    for (const input of ['', node, empty['an empty List']]) {
      for (const how of [[], ['--compare', 'behaviour']]) {
        const { status, stdout, stderr } = run(input, 'diff', dump, ...how);
        assert.equal(status, 2, stdout);
        assert.equal(stdout, '');
        assert.match(
          stderr,
          /^error no-services: no Services in the manifests: every Service of the node would look left/m,
        );
      }
    }
  });

  it('is done where the node has none either', () => {
    const bare = join(folder, 'bare.save');
    writeFileSync(bare, runCli(['compile', '-f', '-'], { input: node }).stdout);
    assert.equal(run(node, 'diff', bare).status, 0);
  });
});

it('versions --detect reads folders and compressed dumps, and says what a text looks like instead', () => {
  const nodeFolder = join(folder, 'node');
  mkdirSync(nodeFolder);
  const text = readFileSync('fixtures/first/dump.txt');
  writeFileSync(join(nodeFolder, 'iptables.save.gz'), gzipSync(text));
  const plain = runCli(['versions', '--detect', 'fixtures/first/dump.txt']);
  assert.equal(plain.status, 0);
  assert.equal(runCli(['versions', '--detect', nodeFolder]).stdout, plain.stdout);
  const { stderr } = runCli(['versions', '--detect', '-'], { input: node });
  assert.match(stderr, /standard input holds no rules of kube-proxy: it looks like Kubernetes objects$/m);
});
