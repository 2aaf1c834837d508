import type { PlainObject } from '../../../report/fleet/fleetReport.ts';
import type { CellPart, ReachTable, SendersOfTable, TableCell, TableRow } from './reachTable.ts';

/** Whether a report that was read has the form of a table. */
export function isReachTable(report: PlainObject): report is PlainObject & ReachTable {
  const { families, mode, hinted, shows, rows, ends, senders, local } = report as Partial<ReachTable>;
  return (
    areTexts(families) &&
    (shows === 'services' || shows === 'found') &&
    Array.isArray(ends) &&
    ends.every(areTexts) &&
    Array.isArray(senders) &&
    senders.every((one: SendersOfTable | null) => areTexts(one?.sources)) &&
    (local === null || areTexts(local)) &&
    areTexts(hinted) &&
    Array.isArray(rows) &&
    rows.every(isRow) &&
    (mode === null || typeof mode === 'string')
  );
}

function isRow(row: TableRow | null): boolean {
  return (
    [row?.id, row?.name].every((text) => typeof text === 'string') &&
    Array.isArray(row?.cells) &&
    row.cells.every(
      (cell: TableCell | null) =>
        typeof cell?.sender === 'string' &&
        Array.isArray(cell.parts) &&
        cell.parts.every(
          (part: CellPart | null) =>
            typeof part?.says === 'string' && (part.sources === undefined || areTexts(part.sources)),
        ),
    )
  );
}

function areTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((text) => typeof text === 'string');
}
