import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { compilingWork, judgingWork } from '../../src/cli/fleet/threads/fleetWork.ts';
import type { Manifests } from '../../src/validate/kinds/manifests.ts';
import { runCli } from '../support/runCli.ts';
import { edit, writeFleet } from './fleetRun.ts';
import { randomCluster, seededRandom } from './randomCluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-threads-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const { manifests, dumps } = writeFleet(join(folder, 'all'), randomCluster(seededRandom(7)));
const some = join(folder, 'some');
cpSync(dumps, some, { recursive: true });
edit(join(some, 'n2', 'iptables.v4.save'), (text) => text.replace(/(?<=--to-destination )10\.\S+/, '192.0.2.1:9'));
writeFileSync(join(some, 'n3', 'iptables.v4.save'), 'this is no dump\n');

describe('several threads say what one says', () => {
  const json = ['-o', 'json'];
  const questions = [
    ['diff', '-f', manifests, some],
    ['diff', '-f', manifests, some, ...json, '--fail-fast'],
    ['diff', '-f', manifests, some, ...json, '--shard', '1/2'],
    ['doctor', some, ...json],
    ['reach', '-f', manifests, some, ...json],
    ['migrate', '-f', manifests, '--to', 'nftables', some, ...json],
  ];
  for (const words of questions) {
    it(words.filter((word) => !word.startsWith(folder)).join(' '), () => {
      const [one, two] = ['1', '2'].map((jobs) => runCli([...words, '--jobs', jobs]));
      assert.deepEqual(two, one);
      assert.notEqual(one?.stdout, '');
    });
  }

  it('compile', () => {
    const written = ['1', '2'].map((jobs) => {
      const out = join(folder, `jobs-${jobs}`);
      const { status, stderr } = runCli(['compile', '-f', manifests, '--all-nodes', '--out-dir', out, '--jobs', jobs]);
      assert.equal(status, 0, stderr);
      const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
      return {
        stderr,
        files: files.map((file) => [file, /\.\w+$/.test(file) ? readFileSync(join(out, file), 'utf8') : '']),
      };
    });
    assert.deepEqual(written[1], written[0]);
    assert.ok((written[0]?.files.length ?? 0) > 12);
  });

  it('objects that cannot be read', () => {
    const broken = join(folder, 'broken.yaml');
    writeFileSync(broken, 'kind: Service\nspec: [\n');
    const [one, two] = ['1', '2'].map((jobs) => runCli(['diff', '-f', broken, some, '--jobs', jobs]));
    assert.equal(one?.status, 2);
    assert.deepEqual(two, one);
  });
});

describe('how much there is to do', () => {
  const big = join(folder, 'big');
  for (const name of ['n1', 'n2']) {
    mkdirSync(join(big, name), { recursive: true });
    writeFileSync(join(big, name, 'iptables.save'), 'x'.repeat(1 << 20));
    writeFileSync(join(big, name, '.hidden'), 'x'.repeat(1 << 20));
  }
  const paths = ['n1', 'n2'].map((name) => ({ kind: 'node', path: join(big, name) }) as const);
  const enough = 1 << 30;

  it('depends on the dumps', () => {
    const { nodes, bytes } = judgingWork('diff', paths, enough);
    assert.equal(nodes, 2);
    assert.ok(bytes > 2 << 20 && bytes < 3 << 20, `${bytes}`);
    assert.equal(judgingWork('diff', [...paths, ...paths], enough).bytes, 2 * bytes);
  });

  it('is more where packets are sent', () => {
    const [diff, reach, migrate] = (['diff', 'reach', 'migrate'] as const).map(
      (name) => judgingWork(name, paths, enough).bytes,
    ) as [number, number, number];
    assert.ok(diff < reach && reach < migrate);
  });

  it('is not counted further than it matters', () => {
    const missing = { kind: 'node', path: join(big, 'missing') } as const;
    assert.equal(
      judgingWork('diff', [...paths, missing], 1).bytes,
      judgingWork('diff', paths.slice(0, 1), enough).bytes,
    );
  });

  it('is more in an archive than its size, of unknown nodes', () => {
    const path = join(folder, 'all.tgz');
    writeFileSync(path, gzipSync('x'.repeat(1 << 20)));
    const { nodes, bytes } = judgingWork('diff', [{ kind: 'archive', path }], enough);
    assert.equal(nodes, undefined);
    assert.ok(bytes > readFileSync(path).length);
  });

  it('depends on Services and endpoints where rules are written, as slices or as Endpoints', () => {
    const work = (kinds: readonly object[], nodes = 1) => compilingWork(given(kinds), nodes).bytes;
    assert.ok(work([]) > 0);
    assert.ok(work([{ kind: 'Service' }]) > work([]));
    const slice = { kind: 'EndpointSlice', endpoints: [{}, {}] };
    const endpoints = { kind: 'Endpoints', subsets: [{ addresses: [{}, {}] }, { addresses: null }] };
    assert.ok(work([slice]) > work([]));
    assert.equal(work([slice]), work([endpoints]));
    assert.equal(work([slice], 3), 3 * work([slice]));
  });
});

function given(objects: readonly object[]): Manifests {
  const of = (kind: string) =>
    objects.filter((object) => (object as { kind: string }).kind === kind).map((value) => ({ value }));
  const kinds = { services: of('Service'), endpoints: of('Endpoints'), endpointSlices: of('EndpointSlice') };
  return kinds as unknown as Manifests;
}
