import assert from 'node:assert/strict';
import { it } from 'node:test';
import { behaviourJson } from '../../src/behaviour/behaviourJson.ts';
import { type BehaviourComparison, compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { toFiles } from '../../src/public/core.ts';
import { orThrow } from '../../src/public/result.ts';
import { type Random, randomCluster, seededRandom } from '../fleet/randomCluster.ts';
import { asWritten } from '../support/asWritten.ts';
import { compileText } from '../support/compileText.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';
import { twoSides } from './sides.ts';

const rounds = Number(process.env.FUZZ_RUNS ?? 12);
const modes = ['iptables', 'nftables'] as const;

for (let at = 0; at < rounds; at += 1) {
  const seed = fuzzSeed + at;
  it(`rules that were damaged differ as if each destination and sender was walked (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const cluster = withOwnRanges(withOwnPorts(randomCluster(random), random), random);
    const [a, b] = [await dumpOf(cluster, random), await dumpOf(cluster, random)];
    assertAsWalked([a], [{ ...b, text: damaged(b.text, random) }]);
  });

  it(`rules that are mostly the same, beside those of others, differ as if each destination was walked (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const cluster = withOwnRanges(withOwnPorts(randomCluster(random), random), random);
    const own = await dumpOf(cluster, random);
    const a = { ...own, text: withOthers(own.text, random) };
    assertAsWalked([a], [{ ...a, text: damaged(a.text, random) }]);
  });
}

function assertAsWalked(a: readonly DumpFile[], b: readonly DumpFile[]): void {
  const sides = twoSides(a, b);
  const [shared, each] = [compareBehaviour(...sides), compareBehaviour(...sides, { walksAll: true })];
  assert.deepEqual(told(shared), told(each));
}

/** Rules of other programs for addresses of endpoints, which packets to Services meet behind kube-proxy's. */
function withOthers(text: string, random: Random): string {
  const endpoint = () => `10.244.${random(4)}.${random(20)}`;
  const others = [
    () => `-A FORWARD -d ${endpoint()}/32 -j DROP`,
    () => `-A FORWARD -d ${endpoint()}/32 -p tcp -m tcp --dport 8080 -j REJECT`,
    () => `-A FORWARD -s ${endpoint()}/32 -j DROP`,
    () => `-A INPUT -d 10.96.0.0/16 -j DROP`,
  ];
  const lines = Array.from({ length: random(5) }, () => others[random(others.length)]?.() ?? '');
  return text.replace(/^(?=COMMIT)/m, lines.map((line) => `${line}\n`).join(''));
}

/** Endpoints at other ports, one of them that of all Services, one a node port. */
function withOwnPorts(cluster: readonly object[], random: Random): readonly object[] {
  return cluster.map((object) => {
    if (!('endpoints' in object)) return object;
    const port = [8080, 8443, 80, 30_001][random(4)];
    return { ...object, ports: [{ name: 'http', port, protocol: 'TCP' }] };
  });
}

/** Source ranges in which some of the Service's own endpoints are. */
function withOwnRanges(cluster: readonly object[], random: Random): readonly object[] {
  return cluster.map((object) => {
    const { spec } = object as { readonly spec?: { readonly loadBalancerSourceRanges?: unknown } };
    if (spec?.loadBalancerSourceRanges === undefined) return object;
    const range = `10.244.${random(4)}.${8 * random(8)}/${28 + random(3)}`;
    return { ...object, spec: { ...spec, loadBalancerSourceRanges: [range] } };
  });
}

async function dumpOf(cluster: readonly object[], random: Random): Promise<DumpFile> {
  // Hosts outside are represented by 203.0.113.7, which shall not be a Service.
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: cluster }).replaceAll(
    '203.0.113.',
    '198.51.100.',
  );
  const mode = modes[random(modes.length)] as string;
  const version = ['1.31', '1.36', '1.37'][random(3)] as string;
  const { compiled } = await compileText(text, '--node', 'n1', '--mode', mode, '--kube-version', version);
  const { all } = await orThrow(toFiles(compiled), () => {});
  const file = all.find(({ name }) => /\.v4\.save$/.test(name));
  assert.ok(file !== undefined);
  return { name: file.name, text: [...file.text()].join('') };
}

/** A few lines lost, or with another port, address or network. */
function damaged(text: string, random: Random): string {
  const lines = text.split('\n');
  const rules = lines.flatMap((line, at) =>
    /^-A (?:KUBE-|FORWARD|INPUT)|^\t\t(?:ip|meta|numgen) /.test(line) ? [at] : [],
  );
  const addresses = [...text.matchAll(/\b10\.244\.\d+\.\d+\b/g)].map(([ip]) => ip);
  for (let left = 1 + random(3); left > 0; left -= 1) {
    const at = rules[random(rules.length)] ?? 0;
    const line = lines[at] ?? '';
    const other = addresses[random(addresses.length)];
    const edits = [
      () => '',
      () => line.replace(/(?<=:|\. )(?:8080|8443)\b/, '8081'),
      () => (other === undefined ? line : line.replace(/\b10\.244\.\d+\.\d+\b/, other)),
      () => line.replace(/\b10\.244\.\d+\.\d+\/\d+/, '10.244.1.0/25'),
    ];
    lines[at] = edits[random(edits.length)]?.() ?? line;
  }
  return lines.join('\n');
}

/** Which senders that are nobody's endpoint fare alike is told with the borders that the rules of the first one drew. */
function told(comparison: BehaviourComparison): readonly object[] {
  const { findings } = asWritten(behaviourJson({ a: 'a', b: 'b' }, comparison)) as {
    readonly findings: readonly { readonly entrance: string; readonly sources?: unknown }[];
  };
  return findings.map(({ sources, ...rest }) => (/endpoint$/.test(rest.entrance) ? { ...rest, sources } : rest));
}
