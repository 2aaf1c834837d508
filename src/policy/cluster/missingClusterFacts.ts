import type { ClusterPolicy, ClusterRule } from '../../model/clusterPolicy.ts';
import { selects } from '../../model/labelSelector.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { distinctFacts, type MissingFact } from '../missing/missingFact.ts';
import { peerFacts, portsOf } from '../missing/missingFacts.ts';
import type { Party } from '../parties/party.ts';
import { mayBeBehind } from '../parties/peerTest.ts';
import type { PodSelection } from '../parties/podSelection.ts';

/** A cluster-wide policy that could not be decided, and its rules that may cover the connection. */
export interface DoubtfulPolicy {
  readonly policy: ClusterPolicy;
  readonly rules: readonly ClusterRule[];
  readonly subject: Party;
  readonly other: Party;
  readonly receiver: Party;
}

/** Finds what would have to be known. */
export function missingClusterFacts(
  { namespaces }: PolicyModel,
  selection: PodSelection,
): (doubt: DoubtfulPolicy) => readonly MissingFact[] {
  const namespaceNamed = new Map(namespaces.map((namespace) => [namespace.name, namespace]));
  return ({ policy, rules, subject, other, receiver }) => {
    const facts = [...peerFacts(selection, namespaceNamed, policy, [policy.subject], subject.pods)];
    for (const { peers, ports } of rules) {
      for (const peer of peers) {
        if (peer.kind === 'pods') facts.push(...peerFacts(selection, namespaceNamed, policy, [peer], other.pods));
        if (peer.kind === 'nodes' && other.node !== undefined && selects(peer.nodes, other.node) === 'maybe') {
          facts.push({ kind: 'nodeLabels', of: other.node.name });
        }
        if (peer.kind !== 'domains') continue;
        const names = peer.names.filter((name) => mayBeBehind(name, other));
        facts.push(...names.map((of): MissingFact => ({ kind: 'domainAddresses', of })));
      }
      if (ports?.some(({ kind }) => kind === 'named')) facts.push(...portsOf(receiver.pods));
    }
    return distinctFacts(facts);
  };
}
