import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { randomCluster, seededRandom } from './randomCluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-shards-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const items = randomCluster(seededRandom(7));
const manifests = write('cluster.json', items);

function write(name: string, list: readonly object[]): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: list }));
  return file;
}

const compile = (out: string, ...more: readonly string[]) =>
  runCli(['compile', '-q', '-f', manifests, '--all-nodes', '--out-dir', join(folder, out), ...more]);

const files = (out: string) =>
  readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + out.length + 2))
    .sort();

describe('shards of compile --all-nodes', () => {
  it('together write what one run writes, each its own nodes', () => {
    assert.equal(compile('whole').status, 0);
    assert.equal(compile('shards', '--shard', '0/3').status, 0);
    assert.deepEqual(readdirSync(join(folder, 'shards')).sort(), ['n1', 'n4']);
    for (const index of [1, 2]) assert.equal(compile('shards', '--shard', `${index}/3`).status, 0);
    assert.deepEqual(files('shards'), files('whole'));
    for (const file of files('whole'))
      assert.equal(
        readFileSync(join(folder, 'shards', file), 'utf8'),
        readFileSync(join(folder, 'whole', file), 'utf8'),
      );
  });

  it('may be more than there are nodes', () => {
    assert.equal(compile('none', '--shard', '7/8').status, 0);
    assert.equal(existsSync(join(folder, 'none')), false);
  });
});

describe('nodes that do not compile', () => {
  const versions: Readonly<Record<string, string>> = { n2: 'v1.29.2', n4: 'v1.28.4' };
  const mixed = write(
    'mixed.json',
    items.map((item) => {
      const node = item as { kind: string; metadata: { name: string }; status?: object };
      const version = node.kind === 'Node' ? versions[node.metadata.name] : undefined;
      return version === undefined
        ? item
        : { ...node, status: { ...node.status, nodeInfo: { kubeletVersion: version } } };
    }),
  );
  // Versions from 1.31 on take the word.
  const run = (...more: readonly string[]) =>
    runCli(
      [
        'compile',
        '-f',
        mixed,
        '--all-nodes',
        '--out-dir',
        join(folder, 'mixed'),
        '--nodeport-addresses',
        'primary',
      ].concat(more),
    );
  const named = (text: string) => [...text.matchAll(/kube-proxy (\S+) does not take/g)].map((match) => match[1]);

  it('are all named, and nothing is written', () => {
    const { status, stderr } = run();
    assert.equal(status, 2);
    assert.deepEqual(named(stderr), ['1.29.2', '1.28.4']);
    assert.equal(existsSync(join(folder, 'mixed')), false);
  });

  it('are named up to the first with --fail-fast', () => {
    const { status, stderr } = run('--fail-fast');
    assert.equal(status, 2);
    assert.deepEqual(named(stderr), ['1.29.2']);
  });

  it('do not matter to other shards', () => {
    assert.equal(run('--shard', '0/2').status, 0);
    assert.deepEqual(readdirSync(join(folder, 'mixed')).sort(), ['n1', 'n3']);
  });
});

describe('words', () => {
  for (const option of [['--shard', '0/2'], ['--fail-fast']]) {
    it(`${option[0]} without --all-nodes: refused`, () => {
      const { status, stderr } = runCli(['compile', '-f', manifests, '--node', 'n1', ...option]);
      assert.equal(status, 2);
      assert.match(stderr, /is about many nodes: give --all-nodes too/);
    });
  }
});
