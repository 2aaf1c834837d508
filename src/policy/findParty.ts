import type { Family } from '../common/family.ts';
import { canonicalIp, familyOf } from '../common/ip.ts';
import type { PolicyModel, PolicyNode, PolicyPod } from '../model/policyModel.ts';
import type { Judge, Party } from './verdict.ts';

/** Someone that a user named, not yet with an address. */
export type PartyName =
  | { readonly kind: 'pod'; readonly pod: PolicyPod }
  | { readonly kind: 'node'; readonly node: PolicyNode }
  | { readonly kind: 'ip'; readonly ip: string };

/**
 * Finds whom a text means: `namespace/name` a pod (`pod/namespace/name` too), `node:NAME` or `node/NAME` a node,
 * `external` some address outside the cluster, else an address. Undefined: no one.
 */
export function findParty(model: PolicyModel, text: string): PartyName | undefined {
  const ip = text === 'external' ? externalAddress : canonicalIp(text);
  if (ip !== undefined) return { kind: 'ip', ip };
  const [, nodeName] = /^node[:/](.+)$/.exec(text) ?? [];
  if (nodeName !== undefined) {
    const node = model.nodes.find(({ name }) => name === nodeName);
    return node && { kind: 'node', node };
  }
  const id = text.replace(/^pod[:/]/, '');
  const pod = model.pods.find((each) => each.id === id);
  return pod && { kind: 'pod', pod };
}

/** The families in which a party can speak, IPv4 first. */
export function familiesOf(name: PartyName): readonly Family[] {
  if (name.kind === 'ip') return [familyOf(name.ip) ?? 'ipv4'];
  const ips = name.kind === 'pod' ? name.pod.ips : name.node.ips;
  const families = new Set(ips.map((ip) => familyOf(ip)));
  return (['ipv4', 'ipv6'] as const).filter((family) => families.has(family));
}

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
