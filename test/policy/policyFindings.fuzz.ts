import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Family } from '../../src/common/addresses/family.ts';
import type { Protocol } from '../../src/common/addresses/protocol.ts';
import { hasValue } from '../../src/common/ranges/valueSet.ts';
import { iptablesPolicies } from '../../src/compare/iptablesPolicies.ts';
import { iptablesPolicyHabits, nftPolicyHabits } from '../../src/compare/policyHabits.ts';
import { diffPolicies } from '../../src/diff/policies/diffPolicies.ts';
import { type Connections, gateDifference, type PolicySide } from '../../src/diff/policies/gateDifference.ts';
import { iptablesSide, nftSide } from '../../src/diff/policies/policySide.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { Direction } from '../../src/model/netPolicy.ts';
import { type PolicyManifests, type PolicyModel, readPolicyModel } from '../../src/model/policyModel.ts';
import { addressValue } from '../../src/netfilter/addressRanges.ts';
import { policyTable } from '../../src/netfilter/policyParts.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import { createJudge, type Judge } from '../../src/policy/verdict.ts';
import { assumeEmptyLabels } from '../../src/resolve/assumed/assumeEmptyLabels.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { arbitraryCluster, arbitraryPolicy, portsTried } from './arbitraryCluster.ts';
import { manifestsOf } from './readCase.ts';

/** Rules of a node that are older than its policies: what `diff` says of them, against what the policies say themselves. */

// biome-ignore lint/suspicious/noExplicitAny: objects as they stand in manifests.
type Objects = readonly any[];
type Backend = 'nftables' | 'strict' | 'kube-router';

const numbers: Readonly<Record<Protocol, number>> = { TCP: 6, UDP: 17, SCTP: 132 };

/** Objects, and the same after somebody changed them. */
const changed = fc
  .record({
    objects: arbitraryCluster,
    at: fc.nat(),
    kind: fc.constantFrom('drop', 'policy', 'labels', 'address'),
    policy: arbitraryPolicy(),
    labels: fc.constantFrom({}, { app: 'x' }, { app: 'y' }),
  })
  .map(({ objects, at, kind, policy, labels }) => {
    const movable = (objects as Objects).filter((each) => each.kind === 'Pod' || /Policy$/.test(each.kind));
    const pods = movable.filter((each) => each.kind === 'Pod' && !each.spec.hostNetwork);
    const [one, pod] = [movable[at % movable.length], pods[at % pods.length]];
    const put = (old: object, now: object) => objects.map((each) => (each === old ? now : each));
    if (kind === 'drop') return { before: objects, after: objects.filter((each) => each !== one) };
    if (kind === 'policy' || pod === undefined) return { before: objects, after: [...objects, policy] };
    if (kind === 'labels')
      return { before: objects, after: put(pod, { ...pod, metadata: { ...pod.metadata, labels } }) };
    const podIPs = pod.status.podIPs.map(({ ip }: { readonly ip: string }) => ({ ip: `${ip}9` }));
    return { before: objects, after: put(pod, { ...pod, status: { ...pod.status, podIPs, podIP: podIPs[0]?.ip } }) };
  });

test(`of each connection is said what the policies say of it (seed ${seed})`, () => {
  let [asked, differed] = [0, 0];
  fc.assert(
    fc.property(changed, fc.constantFrom<Backend>('nftables', 'strict'), ({ before, after }, backend) => {
      const [old, now] = [modelOf(before), modelOf(after)];
      const [was, should] = [createJudge(old), createJudge(now)];
      const dumps = [dumpOf(now, backend), dumpOf(old, backend)] as const;
      for (const family of ['ipv4', 'ipv6'] as const) {
        const [expected, found] = dumps.map((dump) => sideOf(dump, family, backend));
        if (expected === undefined || found === undefined) continue;
        for (const [address, others] of ends(now, old, family)) {
          for (const direction of ['ingress', 'egress'] as const) {
            const { denied, allowed, hasUnknown } = gateDifference({ address, direction }, expected, found);
            assert.ok(!hasUnknown);
            for (const other of others) {
              for (const [protocol, port] of portsTried) {
                const flow = { protocol, port, direction, address, other };
                const [wasKind, shouldKind] = [sideKind(was, flow), sideKind(should, flow)];
                if (wasKind === 'unknown' || shouldKind === 'unknown') continue;
                const says = holds(denied, flow) ? 'denied' : holds(allowed, flow) ? 'allowed' : 'same';
                const is = wasKind === shouldKind ? 'same' : wasKind;
                assert.equal(says, is, `${backend} ${direction} ${address} ${other} ${port}/${protocol}`);
                asked += 1;
                if (is !== 'same') differed += 1;
              }
            }
          }
        }
      }
    }),
    { seed, numRuns: 120, includeErrorInReport: true },
  );
  assert.ok(asked > 1000 && differed > 20, `${asked} asked, ${differed} differed`);
});

test(`no difference is hidden, and what differs is named (seed ${seed})`, () => {
  let told = 0;
  const backends = fc.constantFrom<Backend>('nftables', 'strict', 'kube-router');
  fc.assert(
    fc.property(changed, backends, ({ before, after }, backend) => {
      const [old, now] = [modelOf(before), modelOf(after)];
      if (backend === 'kube-router' && old.clusterPolicies.length + now.clusterPolicies.length > 0) return;
      const dump = dumpOf(old, backend);
      const policyManifests = manifestsFrom(after);
      const { findings, changes } = diffPolicies({ policyManifests, plans: [], model: { node: { name: 'n1' } } }, dump);
      const shown = findings.flatMap(({ rules = [] }) => rules);
      assert.equal(new Set([...shown, ...changes]).size, shown.length + changes.length);
      const mine = changes.filter(
        ({ chain }) => !/^(?:INPUT|FORWARD|OUTPUT|KUBE-ROUTER-\w+|forward|input)$/.test(chain),
      );
      assert.deepEqual(mine, [], backend);
      for (const { code, what } of findings) {
        if (code === 'K8N218' || code === 'K8N219' || code === 'K8N220') assert.match(what, /[abc]\/p\d/);
        told += 1;
      }
    }),
    { seed, numRuns: 300, includeErrorInReport: true },
  );
  assert.ok(told > 30, `${told} findings`);
});

interface AskedFlow {
  readonly protocol: Protocol;
  readonly port: number;
  readonly direction: Direction;
  readonly address: string;
  readonly other: string;
}

function sideKind(judge: Judge, { protocol, port, direction, address, other }: AskedFlow): string {
  const [own, theirs] = [judge.partyAt(address), judge.partyAt(other)];
  const [from, to] = direction === 'ingress' ? [theirs, own] : [own, theirs];
  return judge.judge({ from, to, protocol, port })[direction].kind;
}

function holds(all: readonly Connections[], { protocol, port, other }: AskedFlow): boolean {
  const peer = addressValue(other) ?? assert.fail(other);
  return all.some(
    (one) => one.protocol === numbers[protocol] && hasValue(one.peers, peer) && hasValue(one.ports ?? [], port),
  );
}

/** Addresses of Pods of the node, and of others that they may speak with: the node itself may reach all of its own. */
function ends(now: PolicyModel, old: PolicyModel, family: Family): readonly (readonly [string, readonly string[]])[] {
  const isOwn = (ip: string) => ip.includes(':') === (family === 'ipv6');
  const addresses = (model: PolicyModel) =>
    model.pods.filter(({ isHostNetwork }) => !isHostNetwork).flatMap(({ ips }) => ips.filter(isOwn));
  const local = now.pods.filter(({ node, isHostNetwork }) => node === 'n1' && !isHostNetwork);
  const own = local.flatMap(({ ips }) => ips.filter(isOwn));
  const outside = family === 'ipv4' ? ['203.0.113.9', '198.51.100.1'] : ['2001:db8::1'];
  const all = [...new Set([...addresses(now), ...addresses(old), ...outside])];
  return own.map((ip) => [ip, all.filter((other) => other !== ip)] as const);
}

function sideOf(dump: NodeRules, family: Family, backend: Backend): PolicySide | undefined {
  if (backend === 'nftables') {
    const table = dump.nft.find((one) => one.family === family)?.tables.get(policyTable(family));
    return table && nftSide(table, family, dump.network, nftPolicyHabits(table));
  }
  const filter = dump.iptables.find((one) => one.family === family)?.tables.get('filter');
  const policies =
    filter &&
    iptablesPolicies(
      family,
      filter,
      dump.ipsets.find((one) => one.family === family),
    );
  return policies && iptablesSide(policies, dump.network, iptablesPolicyHabits(policies));
}

function manifestsFrom(objects: Objects): PolicyManifests {
  return assumeEmptyLabels(manifestsOf(objects), { assumesEmptyLabels: true });
}

function modelOf(objects: Objects): PolicyModel {
  return readPolicyModel(manifestsFrom(objects));
}

/** What the node holds, as its tools show it. */
function dumpOf(model: PolicyModel, backend: Backend): NodeRules {
  const isNft = backend === 'nftables';
  const { nftablesSave, iptablesSave, ipsetSave } = compilePolicies(
    model,
    {
      backends: [isNft ? 'nftables' : 'iptables'],
      node: 'n1',
      ...(!isNft && { layout: backend }),
    },
    () => undefined,
  );
  const texts = isNft
    ? { nft: `${nftablesSave?.v4}${nftablesSave?.v6}` }
    : { v4: iptablesSave?.v4 ?? '', v6: iptablesSave?.v6 ?? '', ipset: `${ipsetSave?.v4}${ipsetSave?.v6}` };
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    text: name === 'v6' ? `# Generated by ip6tables-save\n${text}` : text,
  }));
  const dump = readDumps(files, { name: 'n1', family: undefined });
  assert.deepEqual(dump.unread, []);
  return dump;
}
