import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { wayDifference } from '../../src/behaviour/outcome/wayDifference.ts';
import { traceQuestion } from '../../src/behaviour/traceQuestion.ts';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { type Mutation, mutations } from '../diff/mutations/mutations.ts';
import { compileCase } from '../support/compileCase.ts';
import { recordedFiles, services, twoSides } from './sides.ts';
import { textOnly } from './textOnly.ts';

/** Every planted fault that changes what becomes of packets: why names it to whoever asks about one of them. */

const scenarios = readdirSync(services).filter(
  (name) => !name.includes('large') && /affinity|etp|ranges|dualstack|endpoints|nodeport|externalip/.test(name),
);

/** What the dump alone tells, of packets that came through before. */
const sentences: ReadonlyMap<string, RegExp> = new Map([
  ['cluster IP without rule', /No rule of this node has the address/],
  ['external or load-balancer IP without rule', /No rule of this node has the address/],
  ['node port without rule', /No Service has the node port \d+\/\w+ on this node/],
  ['port of a cluster IP edited', /has no port \d+\/tcp; it has 9\/tcp/],
  ['last balancing rule lost', /leads to no endpoint: the packet falls through it/],
  ['last balancing rule with a probability', /leads to no endpoint: the packet falls through it/],
  ['service chain flushed', /leads to no endpoint: the packet falls through it/],
  ['service chain under another name', /KUBE-SVC-\w+, the chain of .*, is not there/],
  ['external traffic leads nowhere', /leads to no endpoint: the packet falls through it/],
  ['PREROUTING does not jump', /KUBE-SERVICES has rules for .*, but no rule leads this packet there/],
  [
    'RETURN before KUBE-SERVICES',
    /A rule in nat OUTPUT comes first: it ends this chain for the packet, before the rule that leads to/,
  ],
  ['no jump to KUBE-NODEPORTS', /KUBE-NODEPORTS has rules for .*, but no rule leads this packet there/],
  ['policy DROP of FORWARD', /the policy of mangle FORWARD is DROP/],
  ['policy DROP of FORWARD in filter', /the policy of filter FORWARD is DROP/],
  ['REJECT before KUBE-FORWARD', /a rule of another program in filter FORWARD rejects it/],
  ['DNAT before KUBE-SERVICES', /[Aa] rule of another program in nat PREROUTING sends it to/],
  ['another source range', /in none of the loadBalancerSourceRanges/],
  ['source range lost', /in none of the loadBalancerSourceRanges/],
]);

describe('why', () => {
  const skipped: string[] = [];
  for (const mutation of mutations) {
    if (textOnly.has(mutation.name)) continue;
    const planted = plant(mutation);
    if (planted === undefined) {
      skipped.push(mutation.name);
      continue;
    }
    it(`names with manifests: ${mutation.name}`, async () => {
      const { scenario, broken, sides, findings } = planted;
      const compiled = await (expected.get(scenario) ?? compile(scenario));
      assert.ok(compiled);
      const options = { level: 'rules', hasNfacct: false, family: 'ipv4', ...noObjectFacts } as const;
      const report = diffManifests(compiled, readDumps([broken], { name: 'b', family: 'ipv4' }), options);
      const [a, b] = sides.map(({ tracer }) => tracer.tracerOf('ipv4'));
      for (const { entrance, packet } of findings.slice(0, 2)) {
        const result = sides[1].tracer.trace(traceQuestion(entrance, packet));
        if ('kind' in result) assert.fail(result.message);
        const difference = a && b && wayDifference(result, a, b);
        const named = (difference ? report.findings.filter(difference.isOnWay) : []).map(({ code }) => code);
        // Without its table whatever else is wrong with it does not count.
        const wanted = mutation.name === 'table nat hidden' ? ['K8N107'] : mutation.ids;
        assert.ok(
          wanted.length === 0 || wanted.some((id) => named.includes(id as (typeof named)[0])),
          `${scenario}: ${named.join(' ')} of ${report.findings.map(({ code }) => code).join(' ')}`,
        );
      }
    });
    const sentence = sentences.get(mutation.name);
    if (sentence === undefined) continue;
    it(`names by the dump alone: ${mutation.name}`, () => {
      const { sides, findings } = planted;
      const said = findings.flatMap(({ entrance, packet }): string[] => {
        const question = traceQuestion(entrance, packet);
        const [before, after] = sides.map(({ tracer }) => {
          const result = tracer.trace(question);
          if ('kind' in result) return assert.fail(result.message);
          return whyCauses(result, tracer.tracerOf('ipv4').input);
        });
        // What kube-proxy's own node asks of itself by 127.0.0.1 is another matter.
        if (!before?.isReachable || after === undefined) return [];
        return [after.causes.map((cause) => cause.what).join('\n')];
      });
      assert.ok(said.length > 0);
      for (const text of said) if (!sentence.test(text)) assert.match(text, sentence);
    });
  }

  it('sees all other faults do something', () => {
    assert.deepEqual(skipped, []);
  });
});

const expected = new Map<string, Promise<Compiled | undefined>>();

function compile(scenario: string): Promise<Compiled | undefined> {
  const made = compileCase(`services/${scenario}`, '--mode', 'iptables', '--family', 'ipv4');
  const compiled = made.then((result) => result.compiled);
  expected.set(scenario, compiled);
  return compiled;
}

/** Plants the fault in the first dump where packets fare otherwise by it; undefined: it changes nothing but text. */
function plant({ apply }: Mutation) {
  for (const scenario of scenarios) {
    const [file] = recordedFiles(scenario, 'iptables', ['iptables.v4.save']);
    const lines = file && apply(file.text.split('\n'));
    if (file === undefined || lines === undefined || !file.text.includes('KUBE-SEP-')) continue;
    const broken = { ...file, text: lines.join('\n') };
    const sides = twoSides([file], [broken]);
    const { findings } = compareBehaviour(...sides);
    if (findings.length > 0) return { scenario, broken, sides, findings };
  }
  return undefined;
}
