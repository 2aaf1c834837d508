import { escapeText } from '../../common/text/escapeText.ts';
import type { Finding } from '../../findings/finding.ts';
import type { WayDifference } from './wayDifference.ts';

/** With the findings that are on its way. */
export interface ExplainedDifference extends Pick<WayDifference, 'expected' | 'found'> {
  readonly findings: readonly Finding[];
}

/** What manifests would do with a packet, what the node does, and what is wrong on its way. */
export function wayDifferenceText({ expected, found, findings }: ExplainedDifference): string {
  const lines = [
    'The node treats this packet otherwise than the manifests would:',
    ...labelled('as it should be', expected),
    ...labelled('as it is', found),
    ...findings.slice(0, mostFindings).flatMap(({ code, what, fix, found: places }) => {
      const [place] = places;
      return [`  ${code} ${what}${place === undefined ? '' : ` (${place.file}:${place.line})`}`, `  → ${fix}`];
    }),
    ...(findings.length > mostFindings ? [`  … ${findings.length - mostFindings} more: k8snet diff has them`] : []),
    ...(findings.length === 0 ? ['  k8snet diff with the same arguments shows the rules that differ.'] : []),
  ];
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

const mostFindings = 5;
const width = 'as it should be'.length + 2;

function labelled(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => `  ${(at === 0 ? label : '').padEnd(width)}${line}`);
}
