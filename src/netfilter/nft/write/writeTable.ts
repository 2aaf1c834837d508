import type { ForeignBlock, NftChain, NftSet, NftTable } from '../ast.ts';
import { writeElement } from '../element.ts';
import { datatypeOf } from '../values/datatypes.ts';
import { formatDuration, formatSeconds } from '../values/duration.ts';
import { formatPriority } from '../values/priority.ts';
import { quoted } from './quoted.ts';
import { writeDevices } from './writeDevices.ts';
import { writeRule } from './writeRule.ts';

/** The listing of one table as `nft list table` of 1.0.6 prints it, in pieces. `isNumeric` is its option `-n`. */
export function* writeTable(table: NftTable, isNumeric = false): Generator<string> {
  if (table.isManagedByIptables === true) {
    yield `# Warning: table ${table.family} ${table.name} is managed by iptables-nft, do not touch!\n`;
  }
  yield `table ${table.family} ${table.name} {${handleText(table.handle)}\n`;
  if (table.flags !== undefined) {
    yield `\tflags ${table.flags.join(',')}\n`;
  }
  if (table.comment !== undefined) {
    yield `\tcomment ${quoted(table.comment)}\n`;
  }
  const foreign = table.foreign ?? [];
  let separator = '';
  for (const block of foreign.filter(({ head }) => !isFlowtable(head))) {
    yield separator + writeForeign(block);
    separator = '\n';
  }
  for (const set of table.sets) {
    yield separator;
    yield* writeSet(set, isNumeric);
    separator = '\n';
  }
  for (const block of foreign.filter(({ head }) => isFlowtable(head))) {
    yield separator + writeForeign(block);
    separator = '\n';
  }
  for (const chain of table.chains) {
    // It is written with the rule that it stands in.
    if (chain.isBound) continue;
    yield `${separator}${writeChain(chain, table.family, isNumeric)}`;
    separator = '\n';
  }
  yield '}\n';
}

function isFlowtable(head: string): boolean {
  return head.startsWith('flowtable');
}

function writeForeign({ head, lines }: ForeignBlock): string {
  return `\t${head}\n${lines.map((line) => `${line}\n`).join('')}`;
}

function* writeSet(set: NftSet, isNumeric: boolean): Generator<string> {
  const duration = isNumeric ? formatSeconds : formatDuration;
  const value = set.valueType === undefined ? '' : ` : ${set.valueType.join(' . ')}`;
  let text = `\t${set.kind} ${set.name} {${handleText(set.handle)}\n`;
  text += set.typeOf === undefined ? `\t\ttype ${set.type.join(' . ')}${value}\n` : `\t\ttypeof ${set.typeOf}\n`;
  text += set.policy === undefined ? '' : `\t\tpolicy ${set.policy}\n`;
  text += set.size === undefined ? '' : `\t\tsize ${set.size}\n`;
  text += set.flags.length === 0 ? '' : `\t\tflags ${set.flags.join(',')}\n`;
  text += set.timeout === undefined ? '' : `\t\ttimeout ${duration(set.timeout)}\n`;
  text += set.gcInterval === undefined ? '' : `\t\tgc-interval ${duration(set.gcInterval)}\n`;
  text += set.hasAutoMerge === undefined ? '' : '\t\tauto-merge\n';
  for (const statement of set.statements ?? []) text += `\t\t${statement}\n`;
  text += set.comment === undefined ? '' : `\t\tcomment ${quoted(set.comment)}\n`;
  yield text;
  yield* writeElements(set, isNumeric);
  yield '\t}\n';
}

/** Elements stand under the first one; how many a line depends on the type. */
function* writeElements(set: NftSet, isNumeric: boolean): Generator<string> {
  const { elements } = set;
  if (elements.length === 0) {
    return;
  }
  const perLine = set.type.length === 1 ? (datatypeOf(set.type[0] ?? '')?.perLine ?? 1) : 1;
  let text = '\t\telements = { ';
  for (const [index, element] of elements.entries()) {
    if (index > 0) {
      text += index % perLine === 0 ? ',\n\t\t\t     ' : ', ';
    }
    text += writeElement(element, 'listing', set.type, set.valueType, isNumeric);
    // A piece of thousands, so that a set of a million is never one text.
    if (text.length < longestPiece) continue;
    yield text;
    text = '';
  }
  yield `${text} }\n`;
}

const longestPiece = 64 << 10;

function writeChain(chain: NftChain, family: string, isNumeric: boolean): string {
  let text = `\tchain ${chain.name} {${handleText(chain.handle)}\n`;
  text += chain.comment === undefined ? '' : `\t\tcomment ${quoted(chain.comment)}\n`;
  if (chain.base !== undefined) {
    const { type, hook, priority, policy } = chain.base;
    const where = `${hook}${writeDevices(chain.base)}`;
    const place = isNumeric ? String(priority) : formatPriority(priority, family, hook);
    text += `\t\ttype ${type} hook ${where} priority ${place}; policy ${policy ?? 'accept'};\n`;
  }
  for (const rule of chain.rules) {
    text += `\t\t${writeRule(rule, 'listing')}\n`;
  }
  return `${text}\t}\n`;
}

function handleText(handle: number | undefined): string {
  return handle === undefined ? '' : ` # handle ${handle}`;
}
