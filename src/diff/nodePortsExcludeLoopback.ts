import { jumpOf } from '../netfilter/iptables/ruleParts.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import { pickRules } from '../node/pickRules.ts';

/** Whether iptables mode opens node ports on every address but those of loopback: `! -d 127.0.0.0/8 … -j KUBE-NODEPORTS`. */
export function nodePortsExcludeLoopback({ family, tables }: ToolRules): boolean {
  const services = tables.get('nat')?.chains.get('KUBE-SERVICES');
  for (const { rule } of pickRules(services, family, { holds: [' KUBE-NODEPORTS'] })) {
    if (jumpOf(rule) !== 'KUBE-NODEPORTS') continue;
    if (rule.words.some((word) => word.kind === 'destination' && word.negated && word.address === '127.0.0.0/8'))
      return true;
  }
  return false;
}
