import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-schedulers-'));
after(() => rmSync(folder, { recursive: true }));

const manifests = [
  '-f',
  'fixtures/page/shop.yaml',
  '--node',
  'n1',
  '--mode',
  'ipvs',
  '--cluster-cidr',
  '10.244.0.0/16',
];
const { status, stderr } = runCli(['compile', '-q', ...manifests, '--out-dir', folder]);
assert.equal(status, 0, stderr);
const file = join(folder, readdirSync(folder).find((name) => name.startsWith('ipvsadm')) ?? '');
const written = readFileSync(file, 'utf8');

/** Where connections to the Service go, with their shares, and the assumption about the scheduler. */
function walked(scheduler: string, weights: readonly [number, number]) {
  let at = 0;
  const text = written
    .replace(/-s rr/g, `-s ${scheduler}`)
    .replace(/^(-a -t 10\.96\.0\.10:80 .*) -w 1$/gm, (_, server: string) => `${server} -w ${weights[at++ % 2]}`);
  assert.equal(at, 2, written);
  writeFileSync(file, text);
  const args = ['trace', folder, '--from', '10.244.1.20', '--to', '10.96.0.10:80', '-o', 'json'];
  const { stdout } = runCli(args);
  const { outcomes } = JSON.parse(stdout) as {
    outcomes: { share: number | string; first: { final: { destination: string } } }[];
  };
  return { outcomes, stdout };
}

describe('IPVS chooses by its scheduler', () => {
  for (const [scheduler, weights, ends, said] of [
    ['rr', [1, 1], 2, undefined],
    ['rr', [3, 1], 2, undefined],
    ['rr', [0, 1], 1, undefined],
    ['wrr', [3, 1], 2, undefined],
    ['fo', [3, 1], 1, undefined],
    ['fo', [1, 1], 2, 'one of the servers with the highest weight gets all connections'],
    ['sh', [1, 1], 2, 'all connections of one client go to one server'],
    ['sh', [0, 1], 1, undefined],
    ['mh', [1, 1], 2, 'all connections of one client go to one server'],
    ['dh', [1, 1], 2, 'the address asked for decides'],
    ['lc', [1, 1], 2, 'connections that the servers have decide'],
  ] as const) {
    it(`${scheduler}, weights ${weights.join(' and ')}`, () => {
      const { outcomes, stdout } = walked(scheduler, weights);
      assert.equal(outcomes.length, ends, stdout);
      if (said === undefined) assert.doesNotMatch(stdout, /shares are taken as equal/);
      else assert.ok(stdout.includes(`scheduler ${scheduler}: `) && stdout.includes(said), stdout);
    });
  }
});
