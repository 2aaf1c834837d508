import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BehaviourSide } from '../../src/behaviour/behaviourSide.ts';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { wayDifference } from '../../src/behaviour/outcome/wayDifference.ts';
import { traceQuestion } from '../../src/behaviour/traceQuestion.ts';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { type ModeMutation, modeMutations } from '../diff/mutations/modeMutations.ts';
import { compileCase } from '../support/compileCase.ts';
import { recordedNodes } from '../support/recordedNodes.ts';
import { twoSides } from './sides.ts';

/** Every planted fault of IPVS and nftables mode that changes what becomes of packets: why names it to whoever asks. */

/** The shortest first: a fault is the same in each, and the walk through all packets of a short one takes a tenth. */
const nodes = recordedNodes()
  .filter(({ scenario, family }) => family === 'ipv4' && !scenario.includes('large'))
  .map((node) => ({ ...node, length: node.files.reduce((sum, { text }) => sum + text.length, 0) }))
  .sort((a, b) => a.length - b.length);

/** What the dump alone tells, of packets that came through before. */
const sentences: ReadonlyMap<string, RegExp> = new Map([
  ['first of several elements of service-ips removed', /has no port \d+\/\w+; it has/],
  ['only element of service-ips removed', /No rule of this node has the address|has no port/],
  ['element of service-ips leads to another chain', /A rule of kube-proxy's chain services drops it/],
  ['elements of service-nodeports removed', /No Service has the node port \d+\/\w+ on this node/],
  ['endpoint chain removed', /endpoint-\S+, the chain of an endpoint of .*, is not there: the packet falls through/],
  ['endpoint chain flushed', /endpoint-\S+, the chain of an endpoint of .*, has no rules and leads to no endpoint/],
  ['endpoint without DNAT', /endpoint-\S+, the chain of an endpoint of .*, leads to no endpoint/],
  ['service chain removed', /service-\S+, the chain of .*, is not there: the packet falls through/],
  ['service chain flushed', /service-\S+, the chain of .*, has no rules and leads to no endpoint/],
  ['external chain removed', /external-\S+, the chain of .*, is not there: the packet falls through/],
  ['nat-prerouting without its jump', /services has rules for .*, but no rule leads this packet there/],
  ['services without its map', /The map service-ips has .*, but no rule looks into it/],
  ['virtual server removed', /IPVS has no virtual server \S+, although the set KUBE-[A-Z-]+ holds it/],
  ['all real servers removed', /The virtual server \S+ has no real servers/],
  ['set removed', /The rules ask for the set KUBE-CLUSTER-IP, which is not there/],
  ['address missing on kube-ipvs0', /IPVS has a virtual server \S+, but \S+ is not an address of this node/],
]);

/** Faults that no first packet shows. 1.29 asks for source ranges where packets are translated already. */
const unseen: readonly string[] = [
  'nftables: the mark stays',
  'nftables: another source range',
  'nftables: INVALID packets pass',
  'nftables: the mark stays on a masqueraded packet',
  'ipvs: weight changed',
  'ipvs: another scheduler',
];
/** In so many nodes they are planted; all others in each, until packets fare otherwise. */
const mostTried = 12;

describe('why', () => {
  const skipped: string[] = [];
  for (const mutation of modeMutations) {
    const planted = plant(mutation);
    if (planted === undefined) {
      skipped.push(`${mutation.mode}: ${mutation.name}`);
      continue;
    }
    const { node, broken, sides, findings } = planted;
    const where = `${mutation.mode}: ${mutation.name}`;
    it(`names with manifests: ${where}`, async () => {
      const args = ['--mode', node.mode, '--kube-version', node.version, '--family', 'ipv4'];
      const { compiled } = await compileCase(node.fixture, ...args);
      assert.ok(compiled);
      const options = { level: 'rules', hasNfacct: false, family: 'ipv4', ...noObjectFacts } as const;
      const report = diffManifests(compiled, readDumps(broken, { name: 'b', family: 'ipv4' }), options);
      const [a, b] = sides.map(({ tracer }) => tracer.tracerOf('ipv4'));
      const all: string[] = [];
      for (const { entrance, packet } of findings) {
        const result = sides[1].tracer.trace(traceQuestion(entrance, packet));
        if ('kind' in result) assert.fail(result.message);
        const difference = a && b && wayDifference(result, a, b);
        const own = difference ? report.findings.filter(difference.isOnWay) : [];
        const named: readonly string[] = own.map(({ code }) => code);
        assert.ok(named.length > 0, `${node.scenario} ${node.version}`);
        all.push(...named);
      }
      const where = `${node.scenario} ${node.version}: ${all.join(' ')}`;
      assert.ok(
        mutation.ids.some((id) => all.includes(id)),
        where,
      );
    });
    const sentence = sentences.get(mutation.name);
    if (sentence === undefined) continue;
    it(`names by the dump alone: ${where}`, () => {
      const said = findings.flatMap(({ entrance, packet }): string[] => {
        const question = traceQuestion(entrance, packet);
        const [before, after] = sides.map((side) => why(side, question));
        return before?.isReachable && after?.isReachable === false
          ? [after.causes.map((cause) => cause.what).join('\n')]
          : [];
      });
      assert.ok(said.length > 0);
      for (const text of said) if (!sentence.test(text)) assert.match(text, sentence);
    });
  }

  it('sees all other faults do something', () => {
    assert.deepEqual(skipped, unseen);
  });
});

function why({ tracer }: BehaviourSide, question: ReturnType<typeof traceQuestion>) {
  const result = tracer.trace(question);
  if ('kind' in result) return assert.fail(result.message);
  return whyCauses(result, tracer.tracerOf('ipv4').input);
}

/** Plants the fault in the first node where packets fare otherwise by it; undefined: it changes nothing but text. */
function plant({ mode, name, file, apply }: ModeMutation) {
  const isUnseen = unseen.includes(`${mode}: ${name}`);
  let tried = 0;
  for (const node of nodes) {
    if (isUnseen && tried === mostTried) break;
    const broken = node.files.map((one) =>
      one.name.startsWith(`${file}.`) ? { name: one.name, text: apply(one.text) } : one,
    );
    if (node.mode !== mode || broken.every(({ text }, at) => text === node.files[at]?.text)) continue;
    tried += 1;
    const sides = twoSides(node.files, broken);
    const { findings } = compareBehaviour(...sides);
    if (findings.length > 0) return { node, broken, sides, findings };
  }
  return undefined;
}
