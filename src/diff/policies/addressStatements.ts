import { firstFew } from '../../common/text/firstFew.ts';
import type { ClusterPolicy } from '../../model/clusterPolicy.ts';
import type { Direction, NetPolicy } from '../../model/netPolicy.ts';
import type { PolicyPod } from '../../model/policyModel.ts';
import type { NodePolicies } from '../../policy/nodePolicies.ts';
import type { ComparedPolicies } from './comparedPolicies.ts';
import { endsText, type PodNames } from './endsText.ts';
import { type Connections, type GateDifference, gateDifference } from './gateDifference.ts';
import { gateKey } from './policyGates.ts';
import type { AddressStatements, Statement } from './statement.ts';

const directions = ['ingress', 'egress'] as const;

/**
 * What becomes of the connections of an address by the rules of a node, and should not. `pod`: of this node, which has the
 * address.
 */
export function addressStatements(
  address: string,
  pod: PolicyPod | undefined,
  { expected, found, exact }: Pick<ComparedPolicies, 'expected' | 'found' | 'exact'>,
  node: NodePolicies,
  names: PodNames,
): AddressStatements {
  const gates = directions.flatMap((direction) => found.gates.get(gateKey({ address, direction })) ?? []);
  if (pod === undefined) {
    const statements = gates.length === 0 ? [] : [leftRules(address, gates[0]?.pod)];
    return { statements, same: gates.length === 0 ? directions : [], isWithoutRules: gates.length === 0 };
  }
  const differences = directions.map((direction) => gateDifference({ address, direction }, expected, found, exact));
  const open = differences.filter(({ isOpen, allowed }) => isOpen && allowed.length > 0);
  const statements = [
    ...openPod(pod, open, node),
    ...differences.flatMap((difference) => [
      ...(open.includes(difference) ? [] : wrongly('allowed', difference.allowed, difference, pod, node, names)),
      ...wrongly('denied', difference.denied, difference, pod, node, names),
    ]),
  ];
  const same = differences.filter(
    ({ denied, allowed, hasUnknown }) => denied.length + allowed.length === 0 && !hasUnknown,
  );
  const isWithoutRules = [expected, found].some((side) =>
    directions.every((direction) => !side.gates.has(gateKey({ address, direction }))),
  );
  return { statements, same: same.map(({ direction }) => direction), isWithoutRules };
}

/** K8N221 */
function leftRules(address: string, pod: string | undefined): Statement {
  return {
    code: 'K8N221',
    key: 'left',
    what: (subjects, isOne) =>
      `rules of policies are left for ${subjects}: no Pod of this node has ${isOne ? 'this address' : 'these addresses'}`,
    subject: pod === undefined ? address : `${address} (${pod})`,
    directions,
    places: [],
  };
}

/** K8N218 */
function openPod(pod: PolicyPod, open: readonly GateDifference[], node: NodePolicies): readonly Statement[] {
  const [one] = open;
  if (one === undefined) return [];
  const policies = [...new Set(open.flatMap(({ direction }) => policiesOf(pod, direction, node)))];
  const way = open.length === 2 ? 'to and from' : one.direction === 'ingress' ? 'to' : 'from';
  const named = policiesText(policies);
  const verb = policies.length === 1 ? 'selects' : 'select';
  return [
    {
      code: 'K8N218',
      key: `${way} ${named}`,
      what: (pods, isOne) =>
        `nothing holds back connections ${way} ${pods}, although ${named} ${verb} ${isOne ? 'it' : 'them'}`,
      subject: pod.id,
      directions: open.map(({ direction }) => direction),
      places: policies.map(({ origin }) => origin),
    },
  ];
}

/** K8N219 and K8N220 */
function wrongly(
  verdict: 'denied' | 'allowed',
  connections: readonly Connections[],
  difference: GateDifference,
  pod: PolicyPod,
  node: NodePolicies,
  names: PodNames,
): readonly Statement[] {
  if (connections.length === 0) return [];
  const { direction } = difference;
  const policies = policiesOf(pod, direction, node);
  const ends = endsText(connections, difference, names);
  const named = policiesText(policies);
  // Policies of the other end may deny the same connections: each judges its own.
  const sentence = (pods: string, isOne: boolean) => {
    const their = isOne ? 'its' : 'their';
    const [does, should] = verdict === 'denied' ? ['deny', 'allow'] : ['allow', 'deny'];
    return policies.length === 0
      ? `the rules for ${pods} hold back connections ${ends}, and no policy of the manifests limits ${their} ${direction}`
      : `the rules for ${pods} ${does} connections ${ends}, which ${their} policies ${should} (${named})`;
  };
  return [
    {
      code: verdict === 'denied' ? 'K8N219' : 'K8N220',
      key: `${direction} ${ends} ${named}`,
      what: sentence,
      subject: pod.id,
      directions: [direction],
      places: policies.map(({ origin }) => origin),
    },
  ];
}

function policiesOf(pod: PolicyPod, direction: Direction, node: NodePolicies): readonly (NetPolicy | ClusterPolicy)[] {
  return [...node.policiesOf(pod, direction), ...node.clusterPoliciesOf(pod, direction)];
}

/** `NetworkPolicy shop/db`; of many the first. */
function policiesText(policies: readonly (NetPolicy | ClusterPolicy)[]): string {
  const names = policies.map((policy) => (policy.kind === 'netPolicy' ? `NetworkPolicy ${policy.id}` : policy.id));
  return names.length > mostPolicies ? `${firstFew(names, mostPolicies)}` : names.join(' and ');
}

const mostPolicies = 2;
