import type { FleetReport } from '../../../report/fleet/fleetReport.ts';
import { sharedParts } from '../../../report/fleet/sharedParts.ts';
import { isReachTable } from './isReachTable.ts';
import { reachFleetText } from './reachFleetText.ts';
import type { ReachedNode, TableRow } from './reachTable.ts';
import { type ReachSummary, summarizeReach } from './summarizeReach.ts';

/** Reports of `reach` about many nodes. */
export const reachReport: FleetReport<ReachedNode, ReachSummary> = {
  codesOf: (answers) => {
    // One node that has what is asked for is enough.
    const isFound = answers.some(({ table }) => table !== undefined && table.rows.length > 0);
    return answers.flatMap(({ table, code }) => (isFound && table?.rows.length === 0 ? [] : [code]));
  },
  unjudged: (verdict) => ({ ...verdict, table: undefined }),
  keeping: () => {
    const share = sharedParts();
    const ends = sharedEnds();
    return {
      keep: ({ table, ...answer }) => ({
        ...answer,
        table: table && {
          ...table,
          rows: table.rows.map((row) => share(withEnds(row, (at) => ends.placeOf(table.ends[at] ?? [])))),
          ends: ends.all,
          senders: share(table.senders),
        },
      }),
    };
  },
  summarize: summarizeReach,
  render: (_form, summary, answers, context) => [reachFleetText(summary, answers, context)],
  read: (verdict, report) => (isReachTable(report) ? { ...verdict, table: report } : undefined),
};

/** One list of lists for all tables. */
function sharedEnds() {
  const places = new Map<string, number>();
  const all: (readonly string[])[] = [];
  const placeOf = (list: readonly string[]): number => {
    const key = list.join();
    let place = places.get(key);
    if (place === undefined) {
      place = all.push(list) - 1;
      places.set(key, place);
    }
    return place;
  };
  return { all, placeOf };
}

function withEnds(row: TableRow, placeOf: (at: number) => number): TableRow {
  return {
    ...row,
    cells: row.cells.map((cell) => ({
      ...cell,
      parts: cell.parts.map((part) => (part.ends === undefined ? part : { ...part, ends: placeOf(part.ends) })),
    })),
  };
}
