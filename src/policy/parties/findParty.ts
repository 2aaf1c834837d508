import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { memoized } from '../../common/memoized.ts';
import { partyWords } from '../../common/text/partyWords.ts';
import { workloadNamed } from '../../common/text/workloadNamed.ts';
import type { PolicyModel, PolicyNode, PolicyPod } from '../../model/policyModel.ts';
import type { Judge } from '../verdict.ts';
import type { Party } from './party.ts';

/** Someone that a user named, not yet with an address. */
export type PartyName =
  | { readonly kind: 'pod'; readonly pod: PolicyPod }
  | { readonly kind: 'node'; readonly node: PolicyNode }
  | { readonly kind: 'ip'; readonly ip: string };

/**
 * Finds the party that a text means: `namespace/name` a Pod (`pod/namespace/name` too), `deploy/namespace/name` a Pod
 * of a workload, which policies treat alike, `node:NAME` or `node/NAME` a node, `external` or `outside` some address
 * outside the cluster, otherwise an address, also `[fd00::1]`; `node` is the only one. Undefined: nobody.
 */
export function findParty(model: PolicyModel, asked: string): PartyName | undefined {
  // A namespace may be called `pod` or `deploy` too.
  const own = podsById(model.pods).get(asked);
  if (own !== undefined) return { kind: 'pod', pod: own };
  const text = partyWords(asked);
  // An address before a port has brackets.
  const ip = text === 'outside' ? externalAddress : canonicalIp(text.replace(/^\[(.*)\]$/, '$1'));
  if (ip !== undefined) return { kind: 'ip', ip };
  const [only, ...others] = model.nodes;
  if (text === 'node' && only !== undefined && others.length === 0) return { kind: 'node', node: only };
  const [, nodeName] = /^node[:/](.+)$/.exec(text) ?? [];
  if (nodeName !== undefined) {
    const node = nodesByName(model.nodes).get(nodeName);
    return node && { kind: 'node', node };
  }
  const workload = workloadNamed(text);
  if (workload !== undefined) {
    const found = model.workloads.find(({ kind, id }) => kind === workload.kind && id === workload.id);
    const pod = found?.pods.find(({ ips }) => ips.length > 0) ?? found?.pods[0];
    return pod && { kind: 'pod', pod };
  }
  const name = text.replace(/^pod\//, '');
  const pod = podsById(model.pods).get(name.includes('/') ? name : `default/${name}`);
  return pod && { kind: 'pod', pod };
}

/** Two Pods of two clusters may have one name: the first is meant. */
const podsById = memoized((pods: readonly PolicyPod[]) => new Map([...pods].reverse().map((pod) => [pod.id, pod])));
const nodesByName = memoized((nodes: readonly PolicyNode[]) => new Map(nodes.map((node) => [node.name, node])));

export function partyIn(judge: Judge, name: PartyName, family: Family): Party | undefined {
  switch (name.kind) {
    case 'pod':
      return judge.partyOfPod(name.pod, family);
    case 'node':
      return judge.partyOfNode(name.node, family);
    case 'ip':
      return familyOf(name.ip) === family ? judge.partyAt(name.ip) : undefined;
  }
}

/** TEST-NET-3 (RFC 5737): an address that no cluster has, for "somewhere outside". */
const externalAddress = '203.0.113.1';
