import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { packFiles } from '../../src/load/files/packFiles.ts';
import { snapshotObject } from '../../src/load/snapshot.ts';
import { root } from '../support/compileCase.ts';
import { runMany } from '../support/runMany.ts';

/** One mention of an archive gives check-service all that is in it; what is not in it is unknown, as in the cluster. */
const kind = join(root, 'fixtures/healthy/kind');

async function pack(file: string, nodes: readonly string[], unreadNodes: number): Promise<void> {
  const objects = parseAllDocuments(readFileSync(join(kind, 'manifests.yaml'), 'utf8')).map((one) => one.toJSON());
  const dumps = nodes.flatMap((node) =>
    ['dumps', 'facts'].flatMap((part) =>
      readdirSync(join(kind, 'node', part)).map((name) => ({
        name: `${node}/${part}/${name}`,
        text: readFileSync(join(kind, 'node', part, name), 'utf8'),
      })),
    ),
  );
  const note = snapshotObject({ hidden: [], isWhole: true, unreadNodes, changing: [] });
  const files = [
    { name: 'cluster/snapshot.json', text: JSON.stringify(note) },
    { name: 'cluster/list.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) },
    ...dumps,
  ];
  writeFileSync(file, await packFiles(files, new Date(0)));
}

describe('check-service of an archive', () => {
  let cwd: string;
  before(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'k8snet-archives-'));
    cpSync(join(kind, 'node'), join(cwd, 'n1'), { recursive: true });
    await pack(join(cwd, 'one.tar.gz'), ['n1'], 0);
    await pack(join(cwd, 'lost.tar.gz'), ['n1'], 1);
    await pack(join(cwd, 'none.tar.gz'), [], 2);
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  const read = /\n {2}node \S+ {2}rules of iptables mode: as they should be\n/;
  const rows: readonly (readonly [words: readonly string[], status: number, isNodeRead: boolean])[] = [
    [['-f', 'one.tar.gz', 'one.tar.gz'], 0, true],
    [['-f', 'one.tar.gz'], 0, true],
    [['one.tar.gz'], 0, true],
    [['one.tar.gz:n1'], 0, true],
    [['-f', 'one.tar.gz', '--node', 'n1'], 0, true],
    [['-f', 'one.tar.gz', '--node', 'n2'], 0, false],
    [['-f', 'one.tar.gz', 'n1'], 0, true],
    [['-f', 'lost.tar.gz'], 5, true],
    [['lost.tar.gz:n1'], 0, true],
    [['-f', 'none.tar.gz'], 5, false],
    [['-f', 'none.tar.gz', 'none.tar.gz'], 5, false],
    [['none.tar.gz'], 5, false],
  ];
  it('reads it once or twice mentioned, and ends with 5 where nodes were lost', () => {
    const answers = runMany(
      rows.map(([words]) => ['check-service', 'shop/web', ...words]),
      cwd,
    );
    for (const [at, [words, status, isNodeRead]] of rows.entries()) {
      const { stdout = '', stderr = '', status: is } = answers[at] ?? {};
      const said = `${words.join(' ')}\n${stdout}${stderr}`;
      assert.equal(is, status, said);
      assert.match(
        stdout,
        /^shop\/web is in order, as far as it was looked at\.\n[\s\S]*2 Pods that it selects, 2 ready/,
        said,
      );
      assert.equal(read.test(stdout), isNodeRead, said);
      assert.equal(/warning node-unread: \S+\.tar\.gz lacks [12] nodes? that could/.test(stderr), status === 5, said);
    }
  });
});
