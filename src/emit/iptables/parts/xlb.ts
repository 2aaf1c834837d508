import { addressType, bareComment, comment, jumpTo } from '../../../netfilter/iptables/builders.ts';
import { detectorMatch } from '../../detectorMatch.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceFacts } from '../serviceFacts.ts';
import { masquerade } from './addressRules.ts';
import { balanceRules, type EndpointComment, stickyRules } from './balance.ts';

/** KUBE-XLB (1.5–1.23): external traffic under policy Local stays on this node, that of pods may go anywhere. */
export function xlb(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, dialect } = facts;
  if (!facts.xlb.isUsed) return;
  const chain = facts.xlb.name;
  const { node: nodeBypasses, pods } = plan.bypassesLocal;
  if (nodeBypasses && dialect.xlbLocalRules === 'before') nodeRules(facts, sink);
  const { localDetector } = facts.node;
  if (pods && localDetector !== undefined) {
    const words = [
      comment('Redirect pods trying to reach external loadbalancer VIP to clusterIP'),
      detectorMatch(localDetector, false),
    ];
    sink.rule('nat', { chain, words, target: jumpTo(facts.svc.name) });
  }
  if (nodeBypasses && dialect.xlbLocalRules === 'after') nodeRules(facts, sink);

  if (plan.local.length === 0) {
    const words = [comment(`${plan.displayName} has no local endpoints`)];
    sink.rule('nat', { chain, words, target: jumpTo('KUBE-MARK-DROP') });
    return;
  }
  if (dialect.xlbAffinity) stickyRules(facts, sink, chain, plan.local, servicePortComment(facts));
  const numbered: EndpointComment = (_, index) => [comment(`Balancing rule ${index} for ${plan.displayName}`)];
  const balanceComment = dialect.localBalanceComment === 'numbered' ? numbered : servicePortComment(facts);
  balanceRules(facts, sink, chain, plan.local, balanceComment);
}

/** From 1.15 on: what the node itself sends may go anywhere too. */
function nodeRules(facts: ServiceFacts, sink: RuleSink): void {
  const chain = facts.xlb.name;
  const { displayName } = facts.plan;
  const local = addressType('src-type');
  masquerade(facts, sink, chain, [comment(`masquerade LOCAL traffic for ${displayName} LB IP`), local]);
  const words = [comment(`route LOCAL traffic for ${displayName} LB IP to service chain`), local];
  sink.rule('nat', { chain, words, target: jumpTo(facts.svc.name) });
}

function servicePortComment(facts: ServiceFacts): EndpointComment {
  return facts.dropsXlbComments ? () => [] : () => [bareComment(facts.plan.displayName)];
}
