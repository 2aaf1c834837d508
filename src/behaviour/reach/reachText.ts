import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { othersText } from '../../model/othersText.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { type SenderKind, senderKinds } from '../packets/senderKinds.ts';
import type { Reach, ReachClass, ReachRow } from './reach.ts';
import { classesFrom, endpointTexts, reachWords, rowName, sourceText } from './reachWords.ts';

/**
 * A table for each Service: one row an address, one column an entrance. Each answering endpoint has a letter, explained
 * below the table.
 */
export function reachText(
  { rows, unknown, assumed, otherPolicies = [] }: Reach,
  { isVerbose, limit }: { readonly isVerbose: boolean; readonly limit: number },
): string {
  const lines: string[] = [];
  const undecided = othersText(otherPolicies);
  if (undecided !== undefined) lines.push(undecided, '');
  const shown = rows.slice(0, limit);
  for (const group of byService(shown)) lines.push(...serviceLines(group), '');
  if (rows.length > limit) lines.push(`${rows.length - limit} more addresses: give a higher --limit`, '');
  if (rows.length === 0) lines.push('no address to reach: the rules name no Service');
  else lines.push(legend);
  if (shown.some(isClusterIpFromOutside)) lines.push(outsideNote);
  for (const { text, rule } of unknown) lines.push(`not understood: ${text} in ${rule}`);
  if (isVerbose) for (const text of assumed) lines.push(`assumed: ${text}`);
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

const legend = "own: the endpoint sees the sender's own address; masq: it sees the node's; –: no sender there";

const outsideNote =
  'outside: what these rules do if a packet gets here; networks outside the cluster have no route for a cluster IP';

function isClusterIpFromOutside(row: ReachRow): boolean {
  return rowName(row).startsWith('cluster IP') && classesFrom(row, 'outside').length > 0;
}

/** Rows of one Service port are adjacent already. */
function byService(rows: readonly ReachRow[]): readonly (readonly ReachRow[])[] {
  const groups: ReachRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.name.service === row.name.service) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

function serviceLines(rows: readonly ReachRow[]): readonly string[] {
  const letters = new Map<string, string>();
  const notes: string[] = [];
  const used = senderKinds.filter((kind) => rows.some(({ classes }) => classes.some((one) => one.entrance === kind)));
  const table = [
    [rows[0]?.name.service ?? 'other addresses', ...used],
    ...rows.map((row) => [`  ${rowName(row)}`, ...used.map((kind) => cell(row, kind, letters, notes))]),
  ];
  const ends = [...letters].map(([text, letter]) => `  ${letter} = ${shortened(text)}`);
  return [...aligned(table), ...ends, ...notes];
}

function cell(row: ReachRow, kind: SenderKind, letters: Map<string, string>, notes: string[]): string {
  const classes = classesFrom(row, kind);
  if (classes.length === 0) return '–';
  const texts = [...new Set(classes.map((one) => reachWords(one, letterOf(one, letters))))];
  const isSplit = classes.length > 1;
  if (isSplit) {
    const parts = classes.map((one) => {
      const which = row.destination.use === 'other' ? ` (${one.protocols.map(protocolName).join(', ')})` : '';
      return `${reachWords(one, letterOf(one, letters))} from ${sourceText(one, classes)}${which}`;
    });
    notes.push(`  * ${rowName(row)}, ${kind}: ${parts.join('; ')}`);
  }
  return `${texts.join(' / ')}${isSplit ? ' *' : ''}`;
}

function letterOf(one: ReachClass, letters: Map<string, string>): string {
  const ends = endpointTexts(one);
  if (ends.length === 0) return '';
  const text = ends.join(', ');
  const known = letters.get(text);
  if (known !== undefined) return known;
  const letter = nameOf(letters.size);
  letters.set(text, letter);
  return letter;
}

function shortened(text: string): string {
  return firstFew(text.split(', '), mostEnds);
}

const mostEnds = 8;

/** A … Z, A1 … */
function nameOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${letter}${Math.floor(at / 26)}`;
}

function aligned(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => [...(row[column] ?? '')].length)));
  return table.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
