import { escapeText } from '../../common/text/escapeText.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import type { SharedReason } from './consequences.ts';
import type { ExplainContext } from './explainWith.ts';
import type { RuleDifference } from './ruleDifferences.ts';

/** The reason and remedy where rules are lacking or edited that kube-proxy writes under its settings, whatever they are. */
export const lostRules = {
  why: 'The chain was flushed or changed after kube-proxy had written it, or kube-proxy is behind.',
  fix: commands.restart,
};

/** The same where traffic goes another way than it should. */
export const otherWay = { ...lostRules, role: { tells: 'otherWay' } } as const;

/**
 * The same of the chain for external addresses: with policy Local it leads to the endpoints of the node, if kube-proxy knows
 * some.
 */
export function externalWay(items: readonly RuleDifference[]) {
  const isOnly = (side: RuleDifference['side']) => items.every((item) => item.side === side);
  const follows: readonly SharedReason[] = isOnly('missing') ? ['refused'] : isOnly('extra') ? ['strangers'] : [];
  return { ...otherWay, role: { ...otherWay.role, ...(follows.length > 0 && { follows }) } };
}

/** For a setting of kube-proxy that may be another one than was given; a sentence without its full stop. */
export function compareSetting(name: string): string {
  return `Compare \`${name}\` in \`kubectl -n kube-system get configmap kube-proxy -o yaml\` (kubeadm and its like), and give that configuration with \`--config\``;
}

/** No node port answers on an address, which may be meant. */
export const closedNodePorts = {
  why: 'kube-proxy is behind or its sync fails, or it runs with other `nodePortAddresses` than those given here.',
  fix: `${compareSetting('nodePortAddresses')}. If node ports are to be open there: ${commands.readLog} ${commands.restart}`,
};

/** kube-proxy drops what conntrack marks INVALID, or does not: a setting decides it, in some versions. */
export function sayInvalidDrop(items: readonly RuleDifference[], { say, diff }: ExplainContext): void {
  const drops = items.some(({ side }) => side === 'missing') ? 'does not drop' : 'drops';
  say('K8N505', items, {
    what: `${escapeText(diff.chain)} ${drops} packets that conntrack marks INVALID`,
    ...otherInvalidDrop,
  });
}

const otherInvalidDrop = {
  severity: 'warning',
  isAdvice: false,
  why: 'kube-proxy runs with another `conntrack.tcpBeLiberal` than the one given here, or is of another version; or the chain was flushed or changed after kube-proxy had written it.',
  fix: `${compareSetting('conntrack.tcpBeLiberal')}. If it is as given: ${commands.restart}`,
} as const;
