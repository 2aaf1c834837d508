import type { createTwoFilesPatch } from 'diff';
import { addTo } from '../../common/addTo.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { ChainDiff } from '../../compare/compareSets.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { DiffReport } from '../diffReport.ts';
import { type ChainChanges, groupChanges } from '../groupChanges.ts';
import type { ReportContext } from '../reportContext.ts';
import { chainSides } from './chainSides.ts';
import { patchLines } from './patchLines.ts';

/**
 * Every changed chain as a unified diff, with the rules around a change if the report has the chain. Chains are the
 * files of the patch (`a/nat/KUBE-SERVICES`), since a dump's line number means nothing on the expected side.
 */
export function* renderUnified(
  report: DiffReport,
  context: ReportContext,
  createPatch: typeof createTwoFilesPatch,
): Iterable<string> {
  const all = new Set<RuleChange>();
  for (const { rules } of report.findings) for (const rule of rules ?? []) all.add(rule);
  for (const change of report.changes) all.add(change);
  const diffs = new Map<string, ChainDiff[]>();
  for (const diff of report.chains ?? []) addTo(diffs, `${diff.table}\n${diff.chain}`, diff);
  for (const group of groupChanges(withoutDoubles(all))) {
    const { expected, found } = chainSides(group, diffs.get(`${group.table}\n${group.chain}`) ?? []);
    const name = escapeText(`${group.table}/${group.chain}`);
    const patch = createPatch(`a/${name}`, `b/${name}`, textOf(expected), textOf(found), '', '', {
      context: 3,
      maxEditLength: mostEdits,
    });
    yield patchLines(patch ?? wholePatch(name, group), context.style);
  }
}

/** Larger differences are shown as a replacement: jsdiff's time grows with the square of the differences. */
const mostEdits = 2000;

function wholePatch(name: string, group: ChainChanges): string {
  const { expected, found } = chainSides(group, []);
  const side = (rules: readonly string[], sign: string) => rules.map((rule) => `${sign}${oneLine(rule)}\n`);
  const [removed, added] = [side(expected, '-'), side(found, '+')];
  const head = `--- a/${name}\n+++ b/${name}\n@@ -${Math.min(1, removed.length)},${removed.length} +${Math.min(1, added.length)},${added.length} @@\n`;
  return [head, ...removed, ...added].join('');
}

/** One rule may belong to several findings. */
function* withoutDoubles(changes: Iterable<RuleChange>): Iterable<RuleChange> {
  const seen = new Set<string>();
  for (const change of changes) {
    const { table, chain, expected, found, place } = change;
    const key = JSON.stringify([table, chain, expected, found, place?.line]);
    if (seen.has(key)) continue;
    seen.add(key);
    yield change;
  }
}

function textOf(rules: readonly string[]): string {
  return rules.map((rule) => `${oneLine(rule)}\n`).join('');
}

function oneLine(rule: string): string {
  return rule.replaceAll('\n', '\\n');
}
