import { escapeText } from '../../../common/text/escapeText.ts';
import { canMatch } from '../../../netfilter/canMatch.ts';
import { nftRuleSteps } from '../../../netfilter/nft/meaning/nftRuleSteps.ts';
import { linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import { nftElementsOf, nftRulesOf } from '../../../node/nftItems.ts';
import type { RuleTable } from '../../../node/nodeRules.ts';
import { isContainerInterface } from '../../../node/programs/foreignPrograms.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import type { FindingParts } from '../../makeFinding.ts';
import { destinationOf, matchedTraffic, type ServiceDestination } from './matchedTraffic.ts';

type Add = (id: FindingCode, parts: FindingParts) => void;

/**
 * K8N606: kube-proxy translates at priority -100; an earlier translation that can match a Service takes its traffic.
 */
export function translatedBefore(own: RuleTable, tables: Iterable<RuleTable>, add: Add): void {
  const destinations = destinationsOf(own);
  for (const table of tables) if (table !== own) checkTable(table, destinations, add);
}

const ownPriority = -100;

function checkTable({ name, chains }: RuleTable, destinations: readonly ServiceDestination[], add: Add): void {
  for (const chain of chains.values()) {
    if (chain.content?.kind !== 'nftChain') continue;
    const { family } = chain.content;
    const { type, hook = '', priority = 0 } = chain.content.chain.base ?? {};
    if (type !== 'nat' || !/^(?:prerouting|output)$/.test(hook) || priority > ownPriority) continue;
    for (const { item, at } of nftRulesOf(chain)) {
      const steps = nftRuleSteps(item, family);
      const isTranslating = steps.some((step) => step.kind === 'nat' && step.half === 'destination');
      if (!isTranslating || !canMatch(steps, { avoids: isContainerInterface })) continue;
      const reached = matchedTraffic(destinations, steps);
      if (reached === 'none') continue;
      const isCertain = reached === 'service' && priority < ownPriority;
      const rule = escapeText(linesOf(chain)[at] as string);
      const seen = `at ${hook} the table ${escapeText(name)} translates before kube-proxy: ${rule}`;
      add('K8N606', { what: seen, found: [placeOf(chain, at)], ...(!isCertain && { severity: 'warning' }) });
      break;
    }
  }
}

/** Keys are address, protocol and port; for node ports protocol and port. */
function destinationsOf({ chains }: RuleTable): readonly ServiceDestination[] {
  return ['map service-ips', 'map service-nodeports'].flatMap((map) =>
    nftElementsOf(chains.get(map)).map(({ item: { key } }) => {
      const [port, protocol = '', ip] = key.toReversed();
      return destinationOf(ip, protocol, Number(port));
    }),
  );
}
