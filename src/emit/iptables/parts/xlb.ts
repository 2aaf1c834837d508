import { addressType, comment, jumpTo } from '../../../netfilter/iptables/print/builders.ts';
import { detectorMatch } from '../../detectorMatch.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';
import { masquerade } from './addressRules.ts';
import { balanceRules, type EndpointComment, noComment, servicePortComment, stickyRules } from './balance.ts';

/** KUBE-XLB (1.5–1.23): external traffic under policy Local stays on this node; that of Pods may go anywhere. */
export function xlb(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  if (!layout.xlb.isUsed) return;
  const chain = layout.xlb.name;
  const { node: nodeBypasses, pods } = plan.shortCircuits;
  if (nodeBypasses && dialect.xlbLocalRules === 'before') nodeRules(layout, sink);
  const { localDetector } = layout.node;
  if (pods && localDetector !== undefined) {
    const words = [
      comment('Redirect pods trying to reach external loadbalancer VIP to clusterIP'),
      detectorMatch(localDetector, false),
    ];
    sink.rule('nat', { chain, words, target: jumpTo(layout.svc.name) });
  }
  if (nodeBypasses && dialect.xlbLocalRules === 'after') nodeRules(layout, sink);

  if (plan.local.length === 0) {
    const words = [comment(`${plan.displayName} has no local endpoints`)];
    sink.rule('nat', { chain, words, target: jumpTo('KUBE-MARK-DROP') });
    return;
  }
  const plainComment = layout.dropsXlbComments ? noComment : servicePortComment;
  if (dialect.xlbAffinity) stickyRules(layout, sink, chain, plan.local, plainComment);
  const isNumbered = dialect.localBalanceComment === 'numbered';
  balanceRules(layout, sink, chain, plan.local, isNumbered ? numberedComment : plainComment);
}

const numberedComment: EndpointComment = {
  kind: undefined,
  of: (name, _, index) => [comment(`Balancing rule ${index} for ${name}`)],
};

/** From 1.15 on: what the node itself sends may go anywhere too. */
function nodeRules(layout: ServiceLayout, sink: RuleSink): void {
  const chain = layout.xlb.name;
  const { displayName } = layout.plan;
  const local = addressType('src-type');
  masquerade(layout, sink, chain, [comment(`masquerade LOCAL traffic for ${displayName} LB IP`), local]);
  const words = [comment(`route LOCAL traffic for ${displayName} LB IP to service chain`), local];
  sink.rule('nat', { chain, words, target: jumpTo(layout.svc.name) });
}
