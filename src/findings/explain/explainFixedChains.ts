import { addTo } from '../../common/addTo.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { hasLines } from '../../node/lines/chainLines.ts';
import type { Role } from './consequences.ts';
import type { ExplainContext } from './explainWith.ts';
import { jumpTarget } from './jumpTarget.ts';
import { externalWay, lostRules, sayInvalidDrop } from './lostRules.ts';
import { portOfDifference } from './portOfDifference.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import { entranceKey, entranceText, type KnownService } from './serviceIndex.ts';

/** Built-in chains: the jumps to kube-proxy's chains. */
export function explainJumps({ items, say, diff }: ExplainContext): void {
  const groups = new Map<string, RuleDifference[]>();
  for (const item of items) {
    const target = jumpTarget(item.rule);
    addTo(groups, target, item);
  }
  for (const [target, own] of groups) {
    const missing = own.filter(({ side }) => side === 'missing');
    const extra = own.filter(({ side }) => side === 'extra');
    if (missing.length > 0 && extra.length > 0) {
      say('K8N210', own, {
        what: `${diff.chain} jumps to ${escapeText(target)} under other conditions than it should`,
      });
    } else if (missing.length > 0) {
      say('K8N207', own, { what: `${diff.chain} of the table ${diff.table} does not jump to ${escapeText(target)}` });
    } else if (extra.length > 0) {
      say('K8N210', own, { what: `${diff.chain} jumps to ${escapeText(target)} although this version does not` });
    }
  }
}

/** KUBE-POSTROUTING and KUBE-MARK-MASQ. */
export function explainMasquerading({ items, say, diff }: ExplainContext): void {
  if (items.length === 0) return;
  const marks = (side: RuleDifference['side']) => items.filter((item) => item.side === side).flatMap(marksOf);
  const others = marks('extra').filter((mark) => !marks('missing').includes(mark));
  if (others.length > 0 && marks('missing').length > 0) {
    const text = (all: readonly number[]) => [...new Set(all)].map((mark) => `0x${mark.toString(16)}`).join(', ');
    say('K8N409', items, { what: `${diff.chain} uses the mark ${text(others)} instead of ${text(marks('missing'))}` });
    return;
  }
  if (diff.chain === 'KUBE-MARK-MASQ') {
    // Without any rule no two programs conflict.
    const lost = items.every(({ side }) => side === 'missing') && !hasLines(diff.found) ? lostRules : {};
    say('K8N409', items, { what: 'KUBE-MARK-MASQ does not set the mark that is tested', ...lost });
    return;
  }
  const isRandom = items.every(({ rule }) => rule.target?.kind === 'masquerade') && items.length === 2;
  if (isRandom && items.some(({ side, rule }) => side === 'extra' && !isRandomFully(rule))) {
    if (items.every(({ rule }) => isRandomFully(rule) || !testsMark(rule))) {
      say('K8N407', items, { what: 'KUBE-POSTROUTING masquerades without --random-fully' });
      return;
    }
  }
  const missing = items.filter(({ side }) => side === 'missing');
  const flip = missing.filter(({ rule }) => rule.target?.kind === 'mark');
  const rest = items.filter((item) => !flip.includes(item));
  const has = (kind: string) => missing.some(({ rule }) => rule.target?.kind === kind);
  if (flip.length > 0 && (rest.length === 0 || !missing.some((item) => rest.includes(item)))) {
    say('K8N404', items, { what: 'KUBE-POSTROUTING does not take the mark off before it masquerades' });
  } else if (
    flip.length > 0 &&
    items.some(({ side, rule }) => side === 'extra' && rule.target?.kind === 'masquerade' && testsMark(rule))
  ) {
    say('K8N404', items, { what: 'KUBE-POSTROUTING is that of kube-proxy before 1.19' });
  } else if (missing.length > 0) {
    const what = has('masquerade') ? 'lacks its MASQUERADE' : 'lacks the RETURN before its MASQUERADE';
    const isPart = flip.length > 0 && hasLines(diff.found);
    say('K8N410', isPart ? rest : items, { what: `KUBE-POSTROUTING ${what}, or has it under other conditions` });
    if (isPart) say('K8N404', flip, { what: 'KUBE-POSTROUTING does not take the mark off before it masquerades' });
  } else if (items.some(({ side }) => side === 'moved')) {
    say('K8N410', items, { what: 'the rules of KUBE-POSTROUTING are in a different order' });
  } else {
    say('K8N210', items, { what: 'KUBE-POSTROUTING holds further rules' });
  }
}

function isRandomFully({ target }: Rule): boolean {
  return target?.kind === 'masquerade' && target.isRandomFully === true;
}

function testsMark({ words }: Rule): boolean {
  return words.some(({ kind }) => kind === 'mark');
}

function marksOf({ rule }: RuleDifference): readonly number[] {
  const tested = rule.words.flatMap((word) => (word.kind === 'mark' ? [word.value >>> 0] : []));
  return rule.target?.kind === 'mark' ? [...tested, rule.target.value >>> 0] : tested;
}

/** filter KUBE-FORWARD. */
export function explainForward(context: ExplainContext): void {
  const { items, say, diff } = context;
  const invalid = items.filter(({ rule, side }) => asksForInvalid(rule) && side !== 'moved');
  if (invalid.length > 0) sayInvalidDrop(invalid, context);
  const rest = items.filter((item) => !invalid.includes(item));
  const marked = rest.filter(({ rule }) => testsMark(rule));
  if (marked.some(({ side }) => side === 'missing') && marked.some(({ side }) => side === 'extra')) {
    say('K8N409', marked, { what: `${diff.chain} accepts another mark than it should` });
  } else if (marked.length > 0) {
    say('K8N504', marked, { what: `${diff.chain} does not accept marked packets as it should`, ...lostRules });
  }
  const others = rest.filter((item) => !marked.includes(item));
  if (others.length > 0) {
    say('K8N504', others, {
      what: `${diff.chain} does not accept or drop what it should: ${escapeText(others[0]?.line ?? '')}`,
      ...lostRules,
    });
  }
}

function asksForInvalid({ words }: Rule): boolean {
  return words.some(
    (word) =>
      word.kind === 'conntrack' &&
      word.options.some((option) => option.name === 'ctstate' && option.states.includes('INVALID')),
  );
}

/** nat KUBE-MARK-DROP, which the kubelet writes through 1.27; kube-proxy leads packets there through 1.24. */
export function explainMarkDrop({ items, say }: ExplainContext): void {
  if (items.length === 0) return;
  say('K8N512', items, {
    what: 'KUBE-MARK-DROP does not set the mark by which the kubelet’s rules drop packets: what source ranges and policy Local leave out goes on',
    severity: 'warning',
    why: 'The kubelet through 1.27 writes the rule. The chain was flushed or changed after that, or the kubelet is newer than kube-proxy.',
    fix: 'Restart the kubelet on this node, so that it writes its rules again: `systemctl restart kubelet`. If it is newer than 1.27, it has no such rule any more: upgrade kube-proxy to its version.',
  });
}

/** filter KUBE-FIREWALL: the guard of loopback. */
export function explainGuard({ items, say, diff }: ExplainContext): void {
  const guard = items.filter(({ rule }) => addressesIn(rule).includes('127.0.0.0/8'));
  // kube-proxy writes it where node ports answer on loopback.
  const role: Role = { follows: ['closedNodePorts'], each: [diff.foundSet.family] };
  if (guard.length > 0) say('K8N510', guard, { what: 'KUBE-FIREWALL does not keep others from 127.0.0.0/8', role });
}

/** KUBE-FW and KUBE-PROXY-FIREWALL: source ranges. */
export function explainRanges({ items, say, diff, index, owner: ofChain }: ExplainContext): void {
  if (items.length === 0) return;
  const ranges = (side: RuleDifference['side']) =>
    items.flatMap(({ side: own, rule }) =>
      own === side ? rule.words.flatMap((word) => (word.kind === 'source' ? [word.address] : [])).slice(0, 1) : [],
    );
  const isShared = diff.chain === 'KUBE-PROXY-FIREWALL';
  const [missing, extra] = [ranges('missing'), ranges('extra')];
  const only = (own: readonly string[], other: readonly string[]) => own.filter((range) => !other.includes(range));
  const [lost, stale] = [only(missing, extra), only(extra, missing)];
  const parts = [
    ...(stale.length > 0 ? [`admits ${stale.map(escapeText).join(', ')}`] : []),
    ...(lost.length > 0 ? [`does not admit ${lost.join(', ')}`] : []),
    ...(items.some(admitsSet) ? ['does not admit what the sets of ranges hold'] : []),
  ];
  const isSame = missing.length > 0 && lost.length + stale.length === 0;
  const other = isSame
    ? 'does not lead what it admits where it should'
    : 'does not stop what the ranges leave out as it should';
  const seen = parts.length > 0 ? parts.join(' and ') : other;
  const role: Role = isShared ? { follows: ['unknown', 'otherWay'] } : isSame ? { follows: ['otherWay'] } : {};
  const left = isShared ? items.filter(isForOneAddress) : [];
  for (const item of left) {
    const of = portOfDifference(item, diff);
    const address = escapeText(entranceText(entranceKey(item.rule) ?? ''));
    const parts = { what: `${diff.chain} stops traffic for ${address}, and should not`, role: leftRole(of) };
    say('K8N512', [item], parts, index.byName.get(of));
  }
  const groups = new Map<KnownService | undefined, RuleDifference[]>();
  for (const item of items) {
    const service = index.byName.get(item.owner ?? '') ?? (isShared ? undefined : ofChain);
    if (!left.includes(item)) addTo(groups, service, item);
  }
  for (const [service, own] of groups) say('K8N512', own, { what: `${diff.chain} ${seen}`, role }, service);
}

/** Nobody's: in IPVS mode one rule is for all addresses of a set. */
function isForOneAddress({ side, owner, rule }: RuleDifference): boolean {
  return side === 'extra' && owner === undefined && entranceKey(rule) !== undefined;
}

/** What a Service had that lost its endpoints, its ranges or the address. */
function leftRole(of: string): Role {
  return { follows: ['strangers', 'otherWay', 'left'], of };
}

/** IPVS mode: the rule that admits members of a set of ranges is missing. */
function admitsSet({ side, rule }: RuleDifference): boolean {
  return side === 'missing' && rule.words.some(({ kind }) => kind === 'set') && jumpTarget(rule) === 'RETURN';
}

function addressesIn({ words }: Rule): readonly string[] {
  return words.flatMap((word) => (word.kind === 'source' || word.kind === 'destination' ? [word.address] : []));
}

/** nat KUBE-EXT: what all external addresses have in common. */
export function explainExternal({ items, say, diff, owner: service }: ExplainContext): void {
  const masquerade = items.filter(({ rule }) => jumpTarget(rule) === 'KUBE-MARK-MASQ');
  const routes = items.filter((item) => !masquerade.includes(item));
  if (masquerade.length > 0) {
    say(
      'K8N401',
      masquerade,
      {
        what: `${diff.chain} does not mark external traffic for masquerading as it should`,
        role: { follows: ['otherWay'] },
        ...lostRules,
      },
      service,
    );
  }
  if (routes.length > 0) {
    say(
      'K8N201',
      routes,
      {
        what: `${diff.chain} does not lead traffic for external addresses where it should`,
        ...externalWay(routes),
      },
      service,
    );
  }
}

export function isBuiltin(table: string, chain: string): boolean {
  return builtinChains(table).includes(chain);
}
