import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Protocol } from '../../src/common/addresses/protocol.ts';
import { type PolicyModel, readPolicyModel } from '../../src/model/policyModel.ts';
import { parseIpset } from '../../src/netfilter/ipset/parseIpset.ts';
import { parseIptables } from '../../src/netfilter/iptables/read/parse.ts';
import { parseListing } from '../../src/netfilter/nft/read/parseListing.ts';
import { type CompiledPolicies, compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import type { Party } from '../../src/policy/parties/party.ts';
import { createJudge, type Judge } from '../../src/policy/verdict.ts';
import { assumeEmptyLabels } from '../../src/resolve/assumed/assumeEmptyLabels.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { arbitraryCluster, arbitraryPolicy, portsTried } from './arbitraryCluster.ts';
import { manifestsOf } from './readCase.ts';
import { passesIptables } from './walkIptables.ts';
import { passesNft } from './walkNft.ts';

const runs = { seed, numRuns: 100 };

test(`rules of both back ends do what the judge says (seed ${seed})`, () => {
  let walked = 0;
  fc.assert(
    fc.property(arbitraryCluster, fc.constantFrom('forward' as const, 'postrouting' as const), (objects, hook) => {
      const model = knownModel(objects);
      const judge = createJudge(model);
      const nodes = new Map(model.nodes.map(({ name }) => [name, walkers(compile(model, name, hook))]));
      for (const [from, to] of pairs(model, judge)) {
        for (const [protocol, port] of portsTried) {
          const { isAllowed: expected, isUnknown } = judge.judge({ from, to, protocol, port });
          // Of equal priority any may be first: rules have one order, which is one of them.
          if (isUnknown) continue;
          for (const backend of ['nftables', 'iptables'] as const) {
            const passed = walk(nodes, backend, from, to, protocol, port, hook);
            assert.equal(passed, expected, `${backend}: ${from.ip} -> ${to.ip} ${port}/${protocol}`);
            walked += 1;
          }
        }
      }
    }),
    runs,
  );
  assert.ok(walked > 100, `${walked} packets`);
});

test(`the order of objects changes no byte (seed ${seed})`, () => {
  fc.assert(
    fc.property(arbitraryCluster, fc.infiniteStream(fc.nat()), (objects, numbers) => {
      // As data: what makes texts again is another function each time.
      const texts = (list: readonly object[]): CompiledPolicies =>
        JSON.parse(JSON.stringify(compile(knownModel(list), 'n1', 'forward')));
      const shuffled = shuffle(objects.map(shuffleLists), numbers);
      // Rules of the iptables back end follow the policy's own order of rules: only objects are shuffled for it.
      assert.deepEqual(texts(shuffle(objects, numbers)), texts(objects));
      assert.deepEqual(texts(shuffled).nftables, texts(objects).nftables);
    }),
    runs,
  );
});

test(`a further policy allows nothing but what it says itself (seed ${seed})`, () => {
  let judged = 0;
  fc.assert(
    fc.property(arbitraryCluster, arbitraryPolicy(), (all, extra) => {
      // Where nothing isolates a pod, cluster-wide policies decide, and a NetworkPolicy takes its place.
      const objects = all.filter(
        (each) => !('kind' in each) || !/(Admin|Cluster)NetworkPolicy/.test(String(each.kind)),
      );
      const before = knownModel(objects);
      const after = knownModel([...objects, extra]);
      const [old, both] = [createJudge(before), createJudge(after)];
      for (const [from, to] of pairs(after, both)) {
        for (const [protocol, port] of portsTried) {
          const flow = { from: both.partyAt(from.ip), to: both.partyAt(to.ip), protocol, port };
          const verdict = both.judge(flow);
          const was = old.judge({ ...flow, from: old.partyAt(from.ip), to: old.partyAt(to.ip) });
          for (const side of ['egress', 'ingress'] as const) {
            judged += 1;
            if (verdict[side].kind === 'denied' || was[side].kind === 'allowed') continue;
            // What was denied and is allowed now is allowed by the new policy.
            const { policy } = verdict[side] as { readonly policy?: { readonly name: string } };
            assert.equal(policy?.name, 'x');
          }
        }
      }
    }),
    runs,
  );
  assert.ok(judged > 100, `${judged} verdicts`);
});

/** Objects that are not there have no labels. */
function knownModel(objects: readonly object[]): PolicyModel {
  return readPolicyModel(assumeEmptyLabels(manifestsOf(objects), { assumesEmptyLabels: true }));
}

function compile(model: PolicyModel, node: string, hook: 'forward' | 'postrouting'): CompiledPolicies {
  return compilePolicies(model, { backends: ['nftables', 'iptables'], node, hook }, () => undefined);
}

/** Rules are walked as they are read back from their texts. */
function walkers({ nftablesSave, iptablesSave, ipsetSave }: CompiledPolicies) {
  const problem = ({ message }: { readonly message: string }) => assert.fail(message);
  const ipset = parseIpset(`${ipsetSave?.v4}${ipsetSave?.v6}`, problem);
  const nft = (text: string) => parseListing(text).ruleset.tables[0] ?? assert.fail('no table');
  return {
    ipv4: { nft: nft(nftablesSave?.v4 ?? ''), iptables: parseIptables(iptablesSave?.v4 ?? '', {}, problem), ipset },
    ipv6: { nft: nft(nftablesSave?.v6 ?? ''), iptables: parseIptables(iptablesSave?.v6 ?? '', {}, problem), ipset },
  };
}

/** Everyone with everyone, and with somewhere outside, in both families. */
function pairs(model: PolicyModel, judge: Judge): readonly (readonly [Party, Party])[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const inside = [
      ...model.pods.map((pod) => judge.partyOfPod(pod, family)),
      ...model.nodes.map((node) => judge.partyOfNode(node, family)),
    ].filter((party) => party !== undefined);
    const outside = family === 'ipv4' ? ['203.0.113.9', '198.51.100.1'] : ['2001:db8::1'];
    const all = [...inside, ...outside.map(judge.partyAt)];
    return all.flatMap((from) => all.map((to) => [from, to] as const));
  });
}

/** The packet's way: the hooks of the sender's node, then those of the receiver's. */
function walk(
  nodes: ReadonlyMap<string, ReturnType<typeof walkers>>,
  backend: 'nftables' | 'iptables',
  from: Party,
  to: Party,
  protocol: Protocol,
  port: number,
  forwardHook: 'forward' | 'postrouting',
): boolean {
  if (from.ip === to.ip) return true;
  const source = from.pods[0]?.node ?? from.node?.name;
  const target = to.pods[0]?.node ?? to.node?.name;
  return [...new Set([source, target])].every((name) => {
    const rules = name === undefined ? undefined : nodes.get(name)?.[from.ip.includes(':') ? 'ipv6' : 'ipv4'];
    if (rules === undefined) return true;
    const isFromNode = from.node?.name === name;
    const packet = { source: from.ip, destination: to.ip, protocol, port, isFromNode };
    const place = to.node?.name === name ? 'input' : isFromNode ? 'output' : 'forward';
    if (backend === 'iptables') return passesIptables(rules.iptables, rules.ipset, place.toUpperCase(), packet);
    // What a node sends leaves through postrouting too.
    const hook =
      place === 'input' ? 'input' : place === 'forward' || forwardHook === 'postrouting' ? forwardHook : place;
    return passesNft(rules.nft, hook, packet);
  });
}

function shuffle<T>(items: readonly T[], numbers: Iterator<number>): readonly T[] {
  return items
    .map((item) => ({ item, rank: numbers.next().value as number }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Rules, peers and ports the other way round. */
function shuffleLists(object: unknown): object {
  const turn = (value: unknown): unknown => {
    if (Array.isArray(value)) return [...value].reverse().map(turn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inner]) => [key, turn(inner)]),
    );
  };
  const isPolicy = (object as { readonly kind: string }).kind === 'NetworkPolicy';
  return isPolicy ? (turn(object) as object) : (object as object);
}
