import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { policyRoles } from '../../../src/compare/policyRoles.ts';
import { readPolicyModel } from '../../../src/model/policyModel.ts';
import { canonicalSet } from '../../../src/netfilter/ipset/canonicalSet.ts';
import { parseIpset } from '../../../src/netfilter/ipset/parseIpset.ts';
import { printIpset } from '../../../src/netfilter/ipset/printIpset.ts';
import { ruleOf } from '../../../src/node/rulesOf.ts';
import { compilePolicies } from '../../../src/output/policies/compilePolicies.ts';
import { readManifests } from '../../policy/readCase.ts';

/** Dumps of kube-router 2.11 for the same manifests, a node each. */
const root = 'golden/recorded/networkpolicy';

for (const name of readdirSync(root)) {
  const model = readPolicyModel(readManifests(`fixtures/networkpolicy/${name}/manifests.yaml`));
  for (const node of ['node-1', 'node-2']) {
    test(`kube-router writes the same for ${name} on ${node}`, () => {
      const recorded = (kind: string) => readFileSync(`${root}/${name}/kube-router/${node}.${kind}`, 'utf8');
      const ours = compilePolicies(
        model,
        // The recordings' service ranges.
        { backends: ['iptables'], node, layout: 'kube-router', serviceCIDRs: ['10.96.0.0/12', 'fd00:10:96::/112'] },
        () => undefined,
      );
      const sets = `${ours.ipsetSave?.v4}${ours.ipsetSave?.v6}`;
      assert.deepEqual(
        canonicalDump(ours.iptablesSave?.v4 ?? '', sets),
        canonicalDump(recorded('iptables'), recorded('ipset')),
      );
      // A node without IPv6 has an empty table there.
      const theirs = canonicalDump(recorded('ip6tables'), recorded('ipset'));
      const v6 = ours.iptablesSave?.v6 || ':INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n';
      assert.equal(canonicalDump(v6, sets).rules, theirs.rules);
    });
  }
}

/** A dump without what kube-router itself varies between two runs, by the roles of chains and sets. */
function canonicalDump(iptables: string, ipset: string): { readonly rules: string; readonly sets: string } {
  const lines = iptables.split('\n');
  const rules = lines.filter((line) => line.startsWith('-A'));
  const { chains, roles } = policyRoles(
    rules.map((text) => ({ text, rule: ruleOf(text, 'ipv4') })),
    false,
  );
  // Policies that select no pod here and allow nothing leave an empty chain, of which nothing tells the name.
  const roleOf = (name: string) =>
    roles.get(name)?.[0] ?? (/^KUBE-NWPLCY-[A-Z2-7]{16}$/.test(name) ? 'KUBE-NWPLCY (unused)' : name);
  const declared = lines
    .filter((line) => line.startsWith(':'))
    .map((line) => line.replace(/^:(\S+)/, (_, name: string) => `:${roleOf(name)}`));
  const ordered = [...chains].sort(([one], [other]) => (one < other ? -1 : 1));
  const state = parseIpset(ipset, ({ message }) => assert.fail(message));
  const sets = state.sets
    .map((set) => canonicalSet({ ...set, name: roleOf(set.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    rules: [...declared.sort(), ...ordered.flatMap(([, own]) => own.map(({ text }) => text))].join('\n'),
    sets: [...printIpset({ kind: 'ipset', sets })].join(''),
  };
}
