import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { chainPlace, linesOf } from '../../../node/lines/chainLines.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { type FindingParts, makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/** 4xx: whether exactly the packets that KUBE-MARK-MASQ marks are masqueraded, once. */
export function markChecks(set: ToolRules): readonly DumpFinding[] {
  const nat = set.tables.get('nat');
  if (!nat?.isWhole) return [];
  const postrouting = nat.chains.get('KUBE-POSTROUTING');
  const marking = nat.chains.get('KUBE-MARK-MASQ');
  if (postrouting === undefined || linesOf(postrouting).length === 0) return [];
  const found: DumpFinding[] = [];
  const add = (id: FindingCode, chain: RuleChain, seen: string, parts: Partial<FindingParts> = {}) => {
    found.push({
      finding: makeFinding(id, { what: seen, found: chainPlace(chain), ...parts }),
      about: { table: chain === forward ? 'filter' : 'nat', chain: chain.name },
    });
  };
  const forward = set.tables.get('filter')?.chains.get('KUBE-FORWARD');
  const rules = rulesOf(postrouting, set.family);
  checkPostrouting(rules, (id, seen, parts) => add(id, postrouting, seen, parts));
  const set_ = marking === undefined ? undefined : markSetBy(rulesOf(marking, set.family));
  if (set_ === undefined || marking === undefined) return found;
  const tests = [
    { chain: postrouting, marks: marksTested(rules) },
    ...(forward ? [{ chain: forward, marks: marksTested(rulesOf(forward, set.family)) }] : []),
  ];
  for (const { chain, marks } of tests) {
    const other = marks.find((mark) => mark !== set_);
    if (other !== undefined)
      add('K8N409', chain, `KUBE-MARK-MASQ sets ${hex(set_)}, ${chain.name} tests ${hex(other)}`);
  }
  return found;
}

function checkPostrouting(
  rules: readonly Rule[],
  add: (id: FindingCode, seen: string, parts?: Partial<FindingParts>) => void,
): void {
  const masquerade = rules.findIndex((rule) => rule.target?.kind === 'masquerade' && !isHairpinOfIpvs(rule));
  if (masquerade === -1) {
    add('K8N410', 'KUBE-POSTROUTING has no MASQUERADE');
    return;
  }
  const before = rules.slice(0, masquerade);
  const returns = before.some(
    (rule) => rule.target?.kind === 'jump' && rule.target.chain === 'RETURN' && marksTested([rule]).length > 0,
  );
  const flips = before.some(({ target }) => target?.kind === 'mark');
  const isMarked = marksTested([rules[masquerade] as Rule]).length > 0;
  if (!returns && !isMarked) {
    add('K8N410', 'KUBE-POSTROUTING masquerades every packet: no RETURN for packets without the mark comes first');
  } else if (!flips) {
    // A single rule that tests the mark is what all versions before 1.19 have.
    const parts = isMarked && !returns ? ({ severity: 'info', isAdvice: true } as const) : {};
    add('K8N404', 'KUBE-POSTROUTING does not take the mark off before it masquerades', parts);
  }
  const later = rules.slice(masquerade + 1).filter((rule) => !isHairpinOfIpvs(rule));
  if (
    isMarked !== later.some((rule) => rule.target?.kind === 'masquerade' && marksTested([rule]).length > 0) &&
    returns &&
    later.length > 0
  ) {
    add('K8N210', 'KUBE-POSTROUTING holds rules of two versions of kube-proxy');
  } else if (isMarked && later.some(({ target }) => target?.kind === 'masquerade')) {
    add('K8N210', 'KUBE-POSTROUTING holds rules of two versions of kube-proxy');
  }
  const target = rules[masquerade]?.target;
  if (target?.kind === 'masquerade' && !target.isRandomFully) {
    add('K8N407', 'KUBE-POSTROUTING masquerades without --random-fully');
  }
}

/**
 * For IPVS mode, which recognizes such packets by a set: since 1.18.6 the rule is in front of the others, before that
 * behind them.
 */
function isHairpinOfIpvs({ words }: Rule): boolean {
  return words.some(({ kind }) => kind === 'set');
}

/** The bit that is set: `or`, or set-xmark with its own mask. */
function markSetBy(rules: readonly Rule[]): number | undefined {
  const target = rules.find((rule) => rule.target?.kind === 'mark')?.target;
  return target?.kind === 'mark' ? target.value >>> 0 : undefined;
}

function marksTested(rules: readonly Rule[]): readonly number[] {
  return rules.flatMap(({ words }) => words.flatMap((word) => (word.kind === 'mark' ? [word.value >>> 0] : [])));
}

function hex(mark: number): string {
  return `0x${mark.toString(16)}`;
}
