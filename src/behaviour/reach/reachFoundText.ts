import { escapeText } from '../../common/text/escapeText.ts';
import { othersText } from '../../model/othersText.ts';
import { distributionLines } from '../outcome/distributionText.ts';
import { traceArguments } from '../traceArguments.ts';
import type { Reach } from './reach.ts';
import type { FoundClass } from './reachFind.ts';
import { classesFrom, rowName, sourceText } from './reachWords.ts';

/** Classes that were found, each with a packet that shows it. */
export function reachFoundText({ otherPolicies = [] }: Reach, found: readonly FoundClass[], limit: number): string {
  const undecided = othersText(otherPolicies);
  const lines = found.slice(0, limit).flatMap(({ row, found: one }) => {
    const service = row.name.service === undefined ? '' : `${row.name.service}  `;
    const from =
      one.entrance === 'node' ? 'the node' : `${one.entrance} ${sourceText(one, classesFrom(row, one.entrance))}`;
    return [
      `${service}${rowName(row)} from ${from}`,
      ...distributionLines(one.outcome, one.packet.family === 'ipv6').map((line) => `  ${line}`),
      `  k8snet trace ${traceArguments(one.entrance, one.packet)}`,
    ];
  });
  if (found.length > limit) lines.push(`${found.length - limit} more: give a higher --limit`);
  lines.push(
    found.length === 0 ? 'nothing found' : `${found.length} ${found.length === 1 ? 'class' : 'classes'} of packets`,
  );
  if (undecided !== undefined) lines.unshift(undecided);
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}
