import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compile, type Diagnostic, type Loaded, loadTexts, shareWork, toFiles } from '../../src/public/core.ts';
import { orThrow, told } from '../../src/public/result.ts';
import { nodeNames, type Random, randomCluster, seededRandom } from '../fleet/randomCluster.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

const versions = ['1.8', '1.19', '1.22', '1.24', '1.26', '1.30', '1.34', '1.36', '1.37'];
const modes = ['iptables', 'iptables', 'nftables', 'nftables', 'ipvs'] as const;
const rounds = Number(process.env.FUZZ_RUNS ?? 25);
const edits = 12;

for (let at = 0; at < rounds; at += 1) {
  const seed = fuzzSeed + at;
  it(`objects that were edited give what a first run gives (seed ${seed})`, () => editAndCompare(seed));
}

async function editAndCompare(seed: number): Promise<void> {
  const random = seededRandom(seed);
  // People look at one mode and version, and then at another.
  const variants = [variantOf(random), variantOf(random)];
  const { sharing } = await shareWork({ repeatsProblems: true });
  let objects = await read(randomCluster(random));
  let node = nodeNames[random(nodeNames.length)];
  for (let edit = 0; edit < edits; edit += 1) {
    const options = { ...variants[random(variants.length)], node };
    assert.deepEqual(await outcome({ ...options, sharing }), await outcome(options));
    if (random(2) === 0) node = nodeNames[random(nodeNames.length)];
    if (random(3) > 0) objects = await edited(objects, random);
  }

  async function outcome(own: object): Promise<unknown> {
    const said: Diagnostic[] = [];
    const report = (one: Diagnostic) => said.push(one);
    const compiled = await told(compile(objects, own), report);
    if (compiled === undefined) return said;
    const { all } = await orThrow(toFiles(compiled), report);
    return { said, files: all.map(({ name, text }) => [name, [...text()].join('')]) };
  }
}

function variantOf(random: Random): object {
  const mode = modes[random(modes.length)] as (typeof modes)[number];
  const asked = versions[random(versions.length)] as string;
  return {
    mode,
    kubeVersion: mode === 'nftables' && Number(asked.slice(2)) < 29 ? '1.30' : asked,
    ...(random(2) === 0 ? { clusterCIDR: '10.244.0.0/16' } : { detectLocalMode: 'NodeCIDR' as const }),
    ...(random(3) === 0 && { nodePortAddresses: ['192.168.7.0/24'] }),
  };
}

type Objects = Loaded['objects'];

/** One object by another one, without one, with one more, or with one that is wrong; all others stay what they are. */
async function edited(objects: Objects, random: Random): Promise<Objects> {
  const at = random(objects.length);
  const old = objects[at] as Objects[number];
  const without = objects.filter((_, place) => place !== at);
  const other = await read(randomCluster(random));
  const fresh = other[random(other.length)] as Objects[number];
  const changed = (value: object) =>
    objects.map((object, place) => (place === at ? { ...old, value: { ...value } } : object));
  const { metadata, spec, ...rest } = old.value as { readonly metadata: object; readonly spec?: object };
  switch (random(8)) {
    case 0:
      return without;
    case 1:
      return [...objects, fresh];
    case 2:
      // A name that does not hold, or an object without what it needs.
      return changed({ ...rest, metadata: { ...metadata, name: 'Not A Name' }, spec });
    case 3:
      return changed({ ...rest, metadata, spec: { ...spec, clusterIP: '10.96.0.11' } });
    case 4: {
      // Whether it hides a Service depends on the version.
      const { labels } = metadata as { readonly labels?: object };
      const hidden = { ...metadata, labels: { ...labels, 'service.kubernetes.io/headless': '' } };
      return changed({ ...rest, metadata: hidden, spec });
    }
    case 5: {
      const { clusterIP: _, ...left } = (spec ?? {}) as { readonly clusterIP?: string };
      return changed({ ...rest, metadata, spec: left });
    }
    default: {
      const same = other.find(({ value }) => nameOf(value) === nameOf(old.value));
      return same === undefined ? objects : objects.map((object, place) => (place === at ? { ...same } : object));
    }
  }
}

function nameOf({ kind, metadata }: Readonly<Record<string, unknown>>): string {
  return `${String(kind)} ${(metadata as { readonly name?: string } | undefined)?.name}`;
}

async function read(items: readonly object[]): Promise<Objects> {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  return (await told(loadTexts([{ name: 'cluster.json', text }]), () => {})).objects;
}
