import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ruleSteps } from '../../../src/netfilter/iptables/meaning/ruleSteps.ts';
import { entranceLine } from '../../../src/netfilter/iptables/read/entranceLine.ts';
import { commentOf } from '../../../src/netfilter/iptables/ruleParts.ts';
import { askedOf } from '../../../src/trace/known/ruleEntrances.ts';
import { protocolName } from '../../../src/trace/question/protocolName.ts';
import { conditionsOf } from '../../../src/trace/service/conditionsOf.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';
import { edits, parsedLine } from './editedLines.ts';

const lines = [
  '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-SVC-NPX46M4PTMTKRN6Y',
  '-A KUBE-NODEPORTS -p udp -m comment --comment "shop/web:dns" -m udp --dport 30053 -j KUBE-EXT-NPX46M4PTMTKRN6Y',
  '-A KUBE-SERVICES -d 1.2.3.4/32 -p sctp -m sctp --dport 1 -j KUBE-MARK-MASQ',
];

test('what asks for more, or does something else, is left to the parser', () => {
  for (const line of others) assert.equal(entranceLine(line), undefined, line);
});

const others = [
  '-A KUBE-SERVICES -s 10.0.0.7/32 -d 10.96.0.1/32 -p tcp -m tcp --dport 443 -j KUBE-SVC-A',
  '-A KUBE-SERVICES ! -s 10.0.0.0/8 -d 10.96.0.1/32 -p tcp -m tcp --dport 443 -j KUBE-MARK-MASQ',
  '-A KUBE-SERVICES -d 10.96.0.0/16 -p tcp -m tcp --dport 443 -j KUBE-SVC-A',
  '-A KUBE-SERVICES -d 10.96.0.1 -p tcp -m tcp --dport 443 -j KUBE-SVC-A',
  '-A KUBE-SERVICES -d 010.96.0.1/32 -p tcp -m tcp --dport 443 -j KUBE-SVC-A',
  '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m udp --dport 443 -j KUBE-SVC-A',
  '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp --dport 70000 -j KUBE-SVC-A',
  '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp --dport 80:90 -j KUBE-SVC-A',
  '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp -j KUBE-SVC-A',
  '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable',
  '-A KUBE-SERVICES -p tcp -m tcp --dport 80 -m statistic --mode random --probability 0.50000000000 -j KUBE-SVC-A',
];

test(`what a line shows is all that its rule asks and does (seed ${seed})`, () => {
  let count = 0;
  for (const line of lines) assert.ok(entranceLine(line) !== undefined, line);
  fc.assert(
    fc.property(fc.constantFrom(...lines), fc.array(edits(), { maxLength: 3 }), (line, changes) => {
      const changed = changes.reduce((text, edit) => edit(text), line);
      const shown = entranceLine(changed);
      if (shown === undefined) return;
      count += 1;
      const rule = parsedLine(changed, 'ipv4');
      const steps = ruleSteps(rule, 'ipv4');
      const { address, protocol = 0, port } = askedOf(steps);
      const asked = { destination: address, protocol: protocolName(protocol), destinationPort: port };
      const { comment, jump, ...conditions } = shown;
      assert.deepEqual(conditions, asked, changed);
      assert.equal(comment, commentOf(rule), changed);
      assert.deepEqual(steps.at(-1), { kind: 'jump', chain: jump }, changed);
      // The protocol is asked by -p and by -m.
      const wanted = address === undefined ? 3 : 4;
      const all = conditionsOf(steps);
      assert.deepEqual([all.length, steps.filter(({ kind }) => kind !== 'ask').length], [wanted, 1], changed);
      assert.ok(
        all.every(({ kind }) => kind === 'values'),
        changed,
      );
    }),
    { seed, numRuns: 20_000 },
  );
  assert.ok(count > 4000, `${count} lines showed it`);
});
