import { addTo } from '../../common/addTo.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { hasLines } from '../../node/lines/chainLines.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import type { ExplainContext } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { leftReason } from './leftReason.ts';
import { closedNodePorts, lostRules, otherWay } from './lostRules.ts';
import { portOfDifference } from './portOfDifference.ts';
import { refusedParts, unrefusedRole } from './refusals.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import {
  entranceKey,
  entranceText,
  type KnownService,
  type ServiceEntrance,
  type ServiceIndex,
} from './serviceIndex.ts';
import { endpointsBehind, strangerParts } from './strangers.ts';
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
    const service = entrance?.service;
    if (entrance === undefined) {
      explainUnknown(
        key,
        own.filter(({ side }) => side === 'extra'),
        context,
      );
      continue;
    }
    if (missing.length > 0) {
      const other = extra[0] && jumpTarget(extra[0].rule);
      const seen = other
        ? `traffic for ${entrance.what} ${address} goes to ${escapeText(other)} instead of ${jumpTarget((missing[0] as RuleDifference).rule)}, or by other conditions`
        : `no rule for ${entrance.what} ${address}`;
      const isServiceMissing = other === undefined && entrance.what === 'cluster IP';
      const reason = other === undefined ? { role: unknownRole } : otherWay;
      say(
        'K8N201',
        [...missing, ...extra],
        { what: seen, ...reason, ...(isServiceMissing && { isServiceMissing }) },
        service,
      );
    } else if (extra.length > 0) {
      const strangers = entrance.route === 'balance' ? [] : strangersBehind(extra, diff);
      if (strangers.length > 0) sayStrangers(strangers, extra, entrance, `${entrance.what} ${address}`, context);
      else
        say(
          'K8N210',
          extra,
          { what: `further rules for ${entrance.what} ${address}, which is served already` },
          service,
        );
    }
    explainMarks(masquerade, entrance, address, context);
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

/** Old versions mark traffic for masquerading by a rule for each address. */
function explainMarks(
  items: readonly RuleDifference[],
  { service, what }: ServiceEntrance,
  address: string,
  { say, diff }: ExplainContext,
): void {
  const missing = items.filter(({ side }) => side === 'missing');
  const extra = items.filter(({ side }) => side === 'extra');
  if (missing.length > 0) {
    const seen =
      extra.length > 0
        ? `the rule that masquerades traffic for ${address} has other conditions`
        : `traffic for ${what} ${address} from outside the cluster is not masqueraded`;
    const role = { follows: ['unknown', 'refused', 'otherWay'] } as const;
    say('K8N401', [...missing, ...extra], { what: seen, role, ...unmarkedReason(diff) }, service);
  } else if (extra.length > 0) {
    const seen = `traffic for ${what} ${address} is masqueraded although it should not be`;
    const role = { follows: ['strangers', 'otherWay'] } as const;
    say('K8N408', extra, { what: seen, severity: 'warning', isAdvice: false, role, ...lostRules }, service);
  }
}

/** Rules for an address that no Service has. */
function explainUnknown(key: string, items: readonly RuleDifference[], { say, diff, index }: ExplainContext): void {
  const [first] = items;
  if (first === undefined) return;
  const address = escapeText(entranceText(key));
  if (key.endsWith(' ')) {
    const seen = `${diff.chain} has a rule for all ports of ${address}: ${escapeText(first.line)}`;
    say('K8N210', items, { what: seen, ...addedByHand }, serviceAt(key, index));
    return;
  }
  const of = portOfDifference(first, diff);
  const seen = `${diff.chain} has rules for ${address}, which no Service has${named(items)}`;
  say('K8N202', items, { what: seen, role: { tells: 'left', of }, ...leftReason(of, index) });
}

/** Rules for the address are those of a Service that has endpoints, or of one without. */
const unknownRole = { tells: 'unknown', follows: ['refused'] } as const;

/** Where the rules for an address lead, which lead to endpoints. */
function strangersBehind(items: readonly RuleDifference[], { foundSet }: ExplainContext['diff']): readonly string[] {
  return [...new Set(items.flatMap(({ rule }) => endpointsBehind(foundSet, jumpTarget(rule))))];
}

/** The rules of a Service that had endpoints, and has none now that it may use. */
function sayStrangers(
  strangers: readonly string[],
  items: readonly RuleDifference[],
  { service, what }: ServiceEntrance,
  address: string,
  { say, diff }: ExplainContext,
): void {
  // With the cluster IP stands what is true of all addresses.
  const seen = `${diff.chain} sends traffic for ${address}`;
  say('K8N203', items, strangerParts(seen, strangers, service, what === 'cluster IP'), service);
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
      const parts =
        extra.length > 0
          ? { what: `${address} should be ${doneTo(missing)}, and is ${doneTo(extra)}` }
          : {
              what: `${address} should be ${doneTo(missing)}, and is not`,
              role: unrefusedRole(entrance?.what === 'cluster IP'),
            };
      say('K8N209', own, parts, service);
    } else if (extra.length > 0) {
      say('K8N209', own, refusedParts(`${address} is ${doneTo(extra)}, although it should not be`, service), service);
    }
  }
}

/** By the last of the rules. */
function doneTo(items: readonly RuleDifference[]): string {
  return items.some(({ rule }) => jumpTarget(rule) === 'DROP') ? 'dropped' : 'refused';
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
      const what = 'no rule leads to KUBE-NODEPORTS: no node port answers';
      // nodePortAddresses leaves the rules behind the jump in place.
      const mayBeMeant = hasLines(diff.foundSet.tables.get(diff.table)?.chains.get('KUBE-NODEPORTS'));
      const role = { tells: 'closedNodePorts', about: [diff.foundSet.family] } as const;
      say('K8N201', missing, { what, ...(mayBeMeant && { ...closedNodePorts, role }) });
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
  if (owner === undefined) return undefined;
  // The rule is expected, so it leads to endpoints.
  return { service: owner, what: key.includes(' * ') ? 'node port' : 'cluster IP', route: 'balance' };
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
