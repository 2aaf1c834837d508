import { addTo } from '../../common/addTo.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { ruleHead } from '../../netfilter/iptables/ruleHead.ts';
import type { ExplainContext } from './explainWith.ts';
import type { RuleDifference } from './ruleDifferences.ts';

/** The chains of userspace mode: each rule leads one address and port of a Service to kube-proxy itself. */
export function explainPortals({ items, index, say, diff }: ExplainContext): void {
  const byName = new Map<string, RuleDifference[]>();
  for (const item of items) addTo(byName, nameIn(item), item);
  for (const [name, own] of byName) {
    // An unnamed port keeps its colon in the comments of old versions.
    const service = index.byName.get(name) ?? index.byName.get(name.replace(/:$/, ''));
    const missing = own.filter(({ side }) => side === 'missing');
    const extra = own.filter(({ side }) => side === 'extra');
    const what = extra.length === 1 ? 'a rule' : `${extra.length} rules`;
    if (missing.length > 0) {
      const where = [...new Set(missing.map(placeIn))].join(', ');
      say('K8N201', [...missing, ...extra], { what: `${diff.chain} has no rule for ${escapeText(where)}` }, service);
    } else if (extra.length > 0 && service === undefined) {
      say('K8N202', extra, { what: `${diff.chain} has ${what} of ${escapeText(name)}, which no Service has` });
    } else if (extra.length > 0) {
      say('K8N210', extra, { what: `${diff.chain} has ${what} more than the Service needs` }, service);
    }
  }
}

function nameIn({ rule }: RuleDifference): string {
  return ruleHead(rule).comment ?? '';
}

/** The address and port that a rule is for. */
function placeIn({ rule }: RuleDifference): string {
  const { destination, destinationPort = '', protocol = '' } = ruleHead(rule);
  const port = `${destinationPort}/${protocol}`;
  return destination === undefined ? `port ${port}` : `${destination}:${port}`;
}
