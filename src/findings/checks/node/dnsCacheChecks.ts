import type { NodeFacts } from '../../../model/nodeFacts.ts';
import type { PolicyManifests } from '../../../model/policyModel.ts';
import { placeOf } from '../../../node/lines/chainLines.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { everyTool } from '../../../node/ruleKinds.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';
import { untrackedRule } from './untrackedRule.ts';

/**
 * K8N602 as a warning: rules of NodeLocal DNSCache on a node without its Pod. Without Pods of the cluster's own namespace
 * on the node, as in the objects of another namespace, nothing is known.
 */
export function dnsCacheChecks(
  dump: NodeRules,
  { pods }: Pick<PolicyManifests, 'pods'>,
  { name }: Pick<NodeFacts, 'name'>,
): readonly Finding[] {
  const own = pods.filter(({ value: { spec } }) => spec?.nodeName === name);
  const isHere = own.some(
    ({ value: { metadata } }) =>
      metadata.labels?.['k8s-app'] === 'node-local-dns' || metadata.name.startsWith('node-local-dns'),
  );
  if (isHere || !own.some(({ value: { metadata } }) => metadata.namespace === 'kube-system')) return [];
  for (const set of everyTool(dump)) {
    const rule = untrackedRule(set);
    if (rule === undefined) continue;
    const seen =
      'the table raw takes an address out of connection tracking, and no Pod of NodeLocal DNSCache is on this node';
    const found = [placeOf(rule.chain, rule.at)];
    return [makeFinding('K8N602', { what: seen, found, severity: 'warning', isAdvice: false })];
  }
  return [];
}
