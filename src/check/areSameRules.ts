import { diffDumps } from '../diff/diffDumps.ts';
import { readDumps } from '../dump/readDumps.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { DiffReport } from '../report/diffReport.ts';

/**
 * Two iptables texts hold the same rules, where an order that decides nothing (of rules that no packet can both match)
 * does not count. Lines that cannot be read must be the same ones.
 */
export function areSameRules(one: string, other: string): boolean {
  const [before, after] = [one, other].map((text) => readDumps([{ name: '', text }], { name: '' })) as [
    NodeRules,
    NodeRules,
  ];
  if (before.iptables.length === 0 || textsOf(before.unread) !== textsOf(after.unread)) return false;
  const { changes, summary } = diffDumps(before, after, { level: 'rules', hasForeign: true });
  return changes.length === 0 && summary.notShown === undefined;
}

function textsOf(unread: DiffReport['unread']): string {
  return unread.map(({ text }) => text.trim()).join('\n');
}
