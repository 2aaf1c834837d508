import { count } from '../common/text/count.ts';
import type { TableDraft } from '../node/chains/chainDraft.ts';
import { usesOf } from '../node/chains/chainUses.ts';
import { cutByMissing } from '../node/chains/cutByMissing.ts';

/** A table of iptables, and what shows that lines of it were lost: missing things count only in a whole table. */
export function withCut<T extends TableDraft>(table: T, isUnfinished: boolean, damaged: number, isExcerpt = false): T {
  const cut = cutOf(table, isUnfinished, damaged, isExcerpt);
  if (cut === undefined) return table;
  return {
    ...table,
    isWhole: false,
    cut,
    ...(isUnfinished && { isUnfinished: true as const }),
    ...(table.isWhole && (isUnfinished || damaged > 0) && { hasLostLines: true as const }),
  };
}

/** A save declares all chains, but an excerpt may leave some out. */
function cutOf(table: TableDraft, isUnfinished: boolean, damaged: number, isExcerpt: boolean): string | undefined {
  if (isUnfinished) return 'no COMMIT ends it';
  if (table.isWhole && damaged > 0) return `${count(damaged, 'line')} of it could not be read`;
  if (!table.isWhole || isExcerpt) return undefined;
  return cutByMissing(table, 'chains', () =>
    [...usesOf({ ...table }).keys()].filter((name) => !table.chains.has(name)),
  );
}
