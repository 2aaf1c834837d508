import type { Family } from '../../../common/addresses/family.ts';
import { canMatch, type KnownPacket } from '../../../netfilter/canMatch.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { ruleSteps } from '../../../netfilter/iptables/meaning/ruleSteps.ts';
import type { Step } from '../../../netfilter/meaning.ts';
import type { NftRule } from '../../../netfilter/nft/ast.ts';
import { nftRuleSteps } from '../../../netfilter/nft/meaning/nftRuleSteps.ts';
import { nftRulesOf } from '../../../node/nftItems.ts';
import { pickRules } from '../../../node/pickRules.ts';
import { isContainerInterface, isPluginChain } from '../../../node/programs/foreignPrograms.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';

/**
 * Whether a rule of the chain lets new connections of Pods pass, or a network plug-in's chain does, regardless of the
 * policy. `counts`: iptables rules that are checked.
 */
export function chainAcceptsPods(
  chain: RuleChain,
  family: Family,
  counts: (rule: Rule) => boolean = () => true,
): boolean {
  if (chain.content?.kind === 'nftChain') {
    const { family: own } = chain.content;
    return nftRulesOf(chain).some(({ item }) => accepts(nftRuleSteps(item, own), [newOfPods]));
  }
  for (const { rule } of pickRules(chain, family, {})) if (counts(rule) && ruleAcceptsPods(rule, family)) return true;
  return false;
}

/** The same for one iptables rule. */
export function ruleAcceptsPods(rule: Rule, family: Family): boolean {
  return accepts(ruleSteps(rule, family), untranslated);
}

/** Whether it can match packets of Pods, on their way to another chain. */
export function ruleMeetsPods(rule: Rule, family: Family): boolean {
  const steps = ruleSteps(rule, family);
  return untranslated.some((packet) => canMatch(steps, packet));
}

/** It lets them pass at least to Services, like firewalld's rule for everything that was translated. */
export function ruleAcceptsServices(rule: Rule, family: Family): boolean {
  return accepts(ruleSteps(rule, family), ofServices);
}

/** The same for one nft rule, in a table of this family. */
export function nftRuleAcceptsPods(rule: NftRule, family: string): boolean {
  return accepts(nftRuleSteps(rule, family), [{ ...newOfPods, isTranslated: false }]);
}

/** The first packet of a connection, and not on an interface of another program. */
const newOfPods: KnownPacket = { state: 'new', avoids: isContainerInterface };

const untranslated = [6, 17, 132].map(
  (protocol): KnownPacket => ({ ...newOfPods, values: { protocol }, isTranslated: false }),
);

const ofServices = [6, 17, 132].map((protocol): KnownPacket => ({ ...newOfPods, values: { protocol } }));

function accepts(steps: readonly Step[], packets: readonly KnownPacket[]): boolean {
  return steps.some((step) => {
    if ((step.kind === 'jump' || step.kind === 'goto') && isPluginChain(step.chain)) return true;
    return mayAccept(step) && packets.some((packet) => canMatch(steps, packet));
  });
}

function mayAccept(step: Step): boolean {
  if (step.kind === 'verdict') return step.verdict === 'accept';
  // A chain that is not read may end in the verdict.
  return step.kind === 'unknown' && /\baccept\b/.test(step.text);
}
