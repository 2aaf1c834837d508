import type { ChainDiff } from '../../compare/compareSets.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import { placeOf } from '../../node/lines/chainLines.ts';
import type { FindingCode } from '../../problems/problemCode.ts';
import { type FindingParts, makeFinding } from '../makeFinding.ts';
import { type ChainFinding, mostRules, type Role, setRuleRole } from './consequences.ts';
import type { RuleDifference } from './ruleDifferences.ts';
import { ruleDifferences } from './ruleDifferences.ts';
import type { KnownService, ServiceIndex } from './serviceIndex.ts';
import { unknownTarget } from './unknownTarget.ts';

/** What an explainer works with: one chain's differences, and the place to put findings. */
export interface ExplainContext {
  readonly diff: ChainDiff;
  readonly items: readonly RuleDifference[];
  readonly index: ServiceIndex;
  /** The Service port whose chain it is. */
  readonly owner: KnownService | undefined;
  /** Says what some items mean; they are then explained. */
  readonly say: (id: FindingCode, items: readonly RuleDifference[], parts: SaidParts, service?: KnownService) => void;
}

/** The words of a finding, and its role among those of other chains. */
export type SaidParts = FindingParts & { readonly role?: Role };

export interface Explained {
  readonly findings: readonly ChainFinding[];
  readonly changes: readonly RuleChange[];
}

/** Runs an explainer over a chain; what it leaves unsaid stays a change. */
export function explainWith(
  diff: ChainDiff,
  index: ServiceIndex,
  explain: (context: ExplainContext) => void,
): Explained {
  const items = ruleDifferences(diff);
  const explained = new Set<RuleDifference>();
  const findings: ChainFinding[] = [];
  explain({
    diff,
    items,
    index,
    owner: index.byName.get(diff.expected?.owner ?? ''),
    say: (id, own, { role = setRuleRole(own), ...parts }, service) => {
      for (const item of own) explained.add(item);
      const owner = service ?? index.byName.get(own.find((item) => item.owner !== undefined)?.owner ?? '');
      const shown = own.slice(0, mostRules);
      const finding = makeFinding(id, {
        ...(owner && { service: owner.name, places: [owner.origin] }),
        found: placesOf(diff, own),
        ...(shown.length > 0 && { rules: shown.map((item) => changeOf(diff, item)) }),
        ...(id === 'K8N202' && shown.length > 0 && { unknownTargets: shown.map((item) => unknownTarget(item, diff)) }),
        ...parts,
      });
      findings.push({ finding, role });
    },
  });
  const changes = [
    ...policyChange(diff),
    ...items.filter((item) => !explained.has(item)).map((item) => changeOf(diff, item)),
  ];
  return { findings, changes };
}

function placesOf(diff: ChainDiff, items: readonly RuleDifference[]) {
  const { found } = diff;
  if (found === undefined) return [];
  const places = items.flatMap(({ foundAt }) => (foundAt === undefined ? [] : [placeOf(found, foundAt)]));
  if (places.length > 0) return places.slice(0, mostRules);
  return found.declaredAt > 0 ? [{ file: found.file, line: found.declaredAt }] : [];
}

export function changeOf(diff: ChainDiff, item: RuleDifference): RuleChange {
  const base = { table: diff.table, chain: diff.chain };
  const place = item.foundAt === undefined || !diff.found ? undefined : placeOf(diff.found, item.foundAt);
  const withPlace = place && place.file !== '' ? { ...base, place } : base;
  switch (item.side) {
    case 'missing':
      return { ...base, expected: item.line };
    case 'extra':
      return { ...withPlace, found: item.line };
    case 'moved':
      return { ...withPlace, expected: item.line, found: item.line, isMoved: true };
  }
}

/** A policy that is another one, as the line that declares the chain shows it. */
export function policyChange({ table, chain, found, foundSet, policies }: ChainDiff): readonly RuleChange[] {
  if (policies === undefined || found === undefined) return [];
  const text = (policy: string) => (foundSet.kind === 'nftables' ? `policy ${policy}` : `:${chain} ${policy}`);
  const place = { file: found.file, line: found.declaredAt };
  return [{ table, chain, expected: text(policies.expected), found: text(policies.found), place }];
}
