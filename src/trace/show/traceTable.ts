import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { rejectionText } from '../../walk/hooks/rejectionText.ts';
import { endText } from '../../walk/values/text.ts';
import { trailItems } from '../../walk/values/trail.ts';
import { arrives, isAnswered, type TracedOutcome, type TraceResult } from '../traceResult.ts';
import type { EndpointFinder } from './endpointFinder.ts';
import { fractionText } from './fractionText.ts';

/** One row an outcome: how likely, where to, as whom, whether the answer comes back, and the rule that decided. */
export function traceTable({ outcomes }: TraceResult, names: EndpointFinder): string {
  const rows = [['SHARE', 'RESULT', 'TO', 'SOURCE', 'ANSWER', 'LAST RULE'], ...outcomes.map((one) => row(one, names))];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length))) ?? [];
  return rows
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function row(outcome: TracedOutcome, names: EndpointFinder): readonly string[] {
  const { flow, end } = outcome.first;
  const isHere = arrives(end);
  const named = names.endpointOf(outcome.first);
  const to = isHere ? side(flow.packet.destination, flow.packet.destinationPort) : '-';
  const rule = trailItems(flow.path).findLast((event) => event.rule !== undefined)?.rule;
  const cells = [
    outcome.share === undefined ? '?' : fractionText(outcome.share),
    end.kind === 'rejected'
      ? `rejected (${rejectionText(end.rejection, flow)})`
      : 'why' in end
        ? `${end.kind}: ${end.why}`
        : end.kind,
    named?.pod == null ? to : `${to} (${named.pod})`,
    isHere ? side(flow.packet.source, undefined) : '-',
    isHere ? (outcome.reply === undefined ? 'elsewhere' : isAnswered(outcome) ? 'returns' : 'lost') : '-',
    rule === undefined ? '-' : `${rule.chain.table.name} ${rule.chain.name} #${rule.number}`,
  ];
  return cells.map((cell) => escapeText(cell));
}

function side(addresses: ValueSet, ports: ValueSet | undefined): string {
  return endText(onlyValue(addresses), ports === undefined ? undefined : (onlyValue(ports) ?? null));
}
