import type { Value } from '../../common/ranges/valueRange.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';
import { type SavedRuleParts, savedRuleParts } from '../../netfilter/iptables/read/readSavedRule.ts';
import { nameEndpoint } from './nameEndpoint.ts';
import { destinationText, standInPortText, valueText } from './standInText.ts';
import type { StepWriter } from './stepWriter.ts';

/**
 * The lines of a chain in iptables with placeholders, comments left out. Lines that are the same but for their
 * placeholders mean the same, so no rule is made of them: to compare 10,000 Services, half a million would be, which took
 * a third of the time and of the memory. Undefined: a line has an unusual shape, and the chain must be parsed.
 */
export function savedLinesText(
  text: string,
  writer: StepWriter,
  jumpText: (chain: string) => string,
): string | undefined {
  const all: SavedRuleParts[] = [];
  for (const line of text === '' ? [] : text.split('\n')) {
    const parts = savedRuleParts(line);
    if (parts === undefined) return undefined;
    all.push(parts);
  }
  // Endpoints get names before rules that match them as senders.
  for (const { to } of all) {
    const address = to === undefined ? undefined : targetOf(to)?.address;
    if (address !== undefined) nameEndpoint(address, writer);
  }
  return all.map((parts) => lineText(parts, writer, jumpText)).join('\n');
}

function lineText(parts: SavedRuleParts, writer: StepWriter, jumpText: (chain: string) => string): string {
  const { isNegated, source, destination, protocol, transport, port, probability, jump, to } = parts;
  let text = '';
  if (source !== undefined) text += `${isNegated ? '!' : ''}-s ${hostText(source, writer, valueText)} `;
  if (destination !== undefined) text += `-d ${hostText(destination, writer, destinationText)} `;
  if (protocol !== undefined) text += `-p ${protocol} `;
  if (transport !== undefined) text += `-m ${transport} `;
  if (port !== undefined) text += `--dport ${standInPortText(Number(port), writer)} `;
  if (probability !== undefined) text += `${probability} `;
  return text + (jump === undefined ? toText(to ?? '', writer) : jumpText(jump));
}

/** A single address has a placeholder, a network has none. */
function hostText(text: string, writer: StepWriter, write: (value: Value, writer: StepWriter) => string): string {
  const slash = text.indexOf('/');
  const value = addressValue(slash === -1 ? text : text.slice(0, slash));
  if (value === undefined) return text;
  const isHost = slash === -1 || text.slice(slash + 1) === (typeof value === 'number' ? '32' : '128');
  return isHost ? write(value, writer) : text;
}

function toText(to: string, writer: StepWriter): string {
  const target = targetOf(to);
  return target === undefined ? `to ${to}` : `to ${valueText(target.address, writer)}:${target.port}`;
}

/** `10.0.0.1:80`, `[fd00::1]:80`; undefined: not one address and port. */
function targetOf(to: string): { readonly address: Value; readonly port: string } | undefined {
  const [, v6, v4, port] = /^(?:\[([\da-f.:]+)\]|([\d.]+)):(\d+)$/.exec(to) ?? [];
  const address = addressValue(v6 ?? v4 ?? '');
  return address === undefined || port === undefined ? undefined : { address, port };
}
