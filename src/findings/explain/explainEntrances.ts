import { addTo } from '../../common/addTo.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import type { ExplainContext } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { lostRules } from './lostRules.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import {
  entranceKey,
  entranceText,
  type KnownService,
  type ServiceEntrance,
  type ServiceIndex,
} from './serviceIndex.ts';
import { unmarkedReason } from './unmarkedReason.ts';

/** nat KUBE-SERVICES and KUBE-NODEPORTS: where traffic enters. */
export function explainEntrances(context: ExplainContext): void {
  const { items, index, say, diff } = context;
  for (const [key, own] of byEntrance(items)) {
    if (key === '') {
      explainLast(own, context);
      continue;
    }
    const entrance = entranceOf(key, own, index);
    const address = escapeText(entranceText(key));
    const masquerade = own.filter(({ rule }) => jumpTarget(rule) === 'KUBE-MARK-MASQ');
    const jumps = own.filter((item) => !masquerade.includes(item));
    const missing = jumps.filter(({ side }) => side === 'missing');
    const extra = jumps.filter(({ side }) => side === 'extra');
    const moved = own.filter(({ side }) => side === 'moved');
    const masqueradeMissing = masquerade.filter(({ side }) => side === 'missing');
    const masqueradeExtra = masquerade.filter(({ side }) => side === 'extra');
    const service = entrance?.service;
    if (entrance === undefined) {
      const all = own.filter(({ side }) => side === 'extra');
      const first = all[0];
      if (first !== undefined && key.endsWith(' ')) {
        const seen = `${diff.chain} has a rule for all ports of ${address}: ${escapeText(first.line)}`;
        say('K8N210', all, { what: seen, ...addedByHand }, serviceAt(key, index));
      } else if (all.length > 0)
        say('K8N202', all, { what: `${diff.chain} has rules for ${address}, which no Service has${named(all)}` });
      continue;
    }
    if (missing.length > 0) {
      const other = extra[0] && jumpTarget(extra[0].rule);
      const seen = other
        ? `traffic for ${entrance.what} ${address} goes to ${escapeText(other)} instead of ${jumpTarget((missing[0] as RuleDifference).rule)}, or by other conditions`
        : `no rule for ${entrance.what} ${address}`;
      const isServiceMissing = other === undefined && entrance.what === 'cluster IP';
      say('K8N201', [...missing, ...extra], { what: seen, ...(isServiceMissing && { isServiceMissing }) }, service);
    } else if (extra.length > 0) {
      say('K8N210', extra, { what: `further rules for ${entrance.what} ${address}, which is served already` }, service);
    }
    if (masqueradeMissing.length > 0) {
      const seen =
        masqueradeExtra.length > 0
          ? `the rule that masquerades traffic for ${address} has other conditions`
          : `traffic for ${entrance.what} ${address} from outside the cluster is not masqueraded`;
      const parts = { what: seen, ...unmarkedReason(diff) };
      say('K8N401', [...masqueradeMissing, ...masqueradeExtra], parts, service);
    } else if (masqueradeExtra.length > 0) {
      const seen = `traffic for ${entrance.what} ${address} is masqueraded although it should not be`;
      say('K8N408', masqueradeExtra, { what: seen, severity: 'warning', isAdvice: false }, service);
    }
    if (moved.length > 0) {
      say(
        'K8N401',
        moved,
        { what: `rules for ${address} are in a different order, and the first match wins`, ...lostRules },
        service,
      );
    }
  }
}

const addedByHand = {
  why: 'kube-proxy writes rules for an address with its port alone: another program or a person added this one.',
  fix: `${commands.restart} If the rule comes back, find the program that adds it.`,
};

/** The first Service port at the address of a key without a port. */
function serviceAt(key: string, { entrances }: ServiceIndex): KnownService | undefined {
  const ip = key.split(' ')[1];
  for (const [other, { service }] of entrances) if (other.split(' ')[1] === ip) return service;
  return undefined;
}

/** filter KUBE-SERVICES, KUBE-EXTERNAL-SERVICES and KUBE-NODEPORTS: rejections and health checks. */
export function explainRefusals({ items, index, say, diff }: ExplainContext): void {
  for (const [key, own] of byEntrance(items)) {
    const entrance = index.entrances.get(key) ?? entranceOf(key, own, index);
    const service = entrance?.service ?? index.byName.get(own.find(({ owner }) => owner)?.owner ?? '');
    const address = escapeText(entranceText(key));
    const missing = own.filter(({ side }) => side === 'missing');
    const extra = own.filter(({ side }) => side === 'extra');
    if (own.some(({ rule }) => jumpTarget(rule) === 'ACCEPT') || entrance?.what === 'health-check node port') {
      if (missing.length > 0) {
        const seen = `no ACCEPT for health-check node port ${address}`;
        say('K8N508', own, { what: seen, names: { port: Number(key.split(' ')[2]) } }, service);
      } else if (extra.length > 0)
        say('K8N202', own, { what: `${diff.chain} accepts ${address}, which no Service has` }, service);
    } else if (service === undefined) {
      if (extra.length > 0)
        say('K8N202', own, { what: `${diff.chain} refuses ${address}, which no Service has${named(extra)}` });
    } else if (missing.length > 0) {
      say(
        'K8N209',
        own,
        { what: `${address} should be refused${extra.length > 0 ? ' in another way' : ', and is not'}` },
        service,
      );
    } else if (extra.length > 0) {
      say('K8N209', own, { what: `${address} is refused, although it should not be` }, service);
    }
  }
}

/** The jump to KUBE-NODEPORTS. */
function explainLast(items: readonly RuleDifference[], { say, index, diff }: ExplainContext): void {
  const jumps = items.filter(({ rule }) => jumpTarget(rule) === 'KUBE-NODEPORTS');
  const missing = jumps.filter(({ side }) => side === 'missing');
  const extra = jumps.filter(({ side }) => side === 'extra');
  const moved = jumps.filter(({ side }) => side === 'moved');
  if (missing.length > 0) {
    const hasNodePorts = [...index.entrances.values()].some(({ what }) => what === 'node port');
    if (extra.length > 0) {
      const seen = `${diff.chain} leads to KUBE-NODEPORTS under other conditions`;
      say('K8N507', [...missing, ...extra], { what: seen, isAdvice: false });
    } else if (hasNodePorts) {
      say('K8N201', missing, { what: `no rule leads to KUBE-NODEPORTS: no node port answers` });
    } else {
      say('K8N207', missing, { what: `${diff.chain} does not jump to KUBE-NODEPORTS` });
    }
  } else if (extra.length > 0) {
    say('K8N507', extra, { what: `${diff.chain} leads to KUBE-NODEPORTS once more`, isAdvice: false });
  }
  if (moved.length > 0) say('K8N213', moved, { what: 'the jump to KUBE-NODEPORTS is not the last rule' });
}

/** Rules for each address and port; all others under ''. */
function byEntrance(items: readonly RuleDifference[]): ReadonlyMap<string, readonly RuleDifference[]> {
  const groups = new Map<string, RuleDifference[]>();
  for (const item of items) {
    const key = entranceKey(item.rule) ?? '';
    const own = jumpTarget(item.rule) === 'KUBE-NODEPORTS' ? '' : key;
    addTo(groups, own, item);
  }
  return groups;
}

/** By address and port; expected rules without either, as kube-proxy's oldest versions wrote, by their owner. */
function entranceOf(
  key: string,
  items: readonly RuleDifference[],
  { entrances, byName }: ServiceIndex,
): ServiceEntrance | undefined {
  const known = entrances.get(key);
  if (known) return known;
  const owner = byName.get(items.find((item) => item.owner)?.owner ?? '');
  return owner === undefined ? undefined : { service: owner, what: key.includes(' * ') ? 'node port' : 'cluster IP' };
}

/** `(said of ns/name)` if a comment names a Service. */
function named(items: readonly RuleDifference[]): string {
  for (const { rule } of items) {
    for (const word of rule.words) {
      const name = word.kind === 'comment' ? /^\S+\/[^\s:]+(?::\S*)?/.exec(word.text)?.[0] : undefined;
      if (name !== undefined) return ` (the rule names ${escapeText(name.replace(/:$/, ''))})`;
    }
  }
  return '';
}
