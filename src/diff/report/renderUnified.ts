import type { createTwoFilesPatch } from 'diff';
import { escapeText } from '../../common/escapeText.ts';
import type { DiffReport } from '../diffReport.ts';
import type { RuleChange } from '../finding.ts';
import { type ChainChanges, groupChanges } from './groupChanges.ts';
import { patchLines } from './patchLines.ts';
import type { ReportContext } from './reportContext.ts';

/**
 * Every changed chain as a unified diff, with the rules around a change where the context knows them. Chains are the
 * files of the patch (`a/nat/KUBE-SERVICES`), since a line number of a dump says nothing of the expected side.
 */
export function* renderUnified(
  report: DiffReport,
  context: ReportContext,
  createPatch: typeof createTwoFilesPatch,
): Iterable<string> {
  const all = new Set<RuleChange>();
  for (const { rules } of report.findings) for (const rule of rules ?? []) all.add(rule);
  for (const change of report.changes) all.add(change);
  for (const group of groupChanges(withoutDoubles(all))) {
    const { expected, found } = sidesOf(group, context);
    const name = escapeText(`${group.table}/${group.chain}`);
    const patch = createPatch(`a/${name}`, `b/${name}`, expected, found, '', '', {
      context: 3,
      maxEditLength: mostEdits,
    });
    yield patchLines(patch ?? wholePatch(name, expected, found), context.style);
  }
}

/** What differs more than this is shown as replaced: jsdiff's time grows with the square of the differences. */
const mostEdits = 2000;

function wholePatch(name: string, expected: string, found: string): string {
  const side = (text: string, sign: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => `${sign}${line}\n`);
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

function sidesOf({ table, chain, changes }: ChainChanges, context: ReportContext): { expected: string; found: string } {
  const whole = context.chainRules?.(table, chain);
  const expected =
    whole?.expected ?? changes.flatMap((change) => (change.expected === undefined ? [] : [change.expected]));
  const found = whole?.found ?? changes.flatMap((change) => (change.found === undefined ? [] : [change.found]));
  return { expected: textOf(expected), found: textOf(found) };
}

function textOf(rules: readonly string[]): string {
  return rules.map((rule) => `${rule.replaceAll('\n', '\\n')}\n`).join('');
}
