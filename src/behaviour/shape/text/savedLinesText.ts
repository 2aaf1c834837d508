import type { Value } from '../../../common/ranges/valueRange.ts';
import { addressValue } from '../../../netfilter/addressRanges.ts';
import { type SavedRuleParts, savedRuleParts } from '../../../netfilter/iptables/read/readSavedRule.ts';
import { usualComment } from '../../../netfilter/iptables/usualComment.ts';
import { nameEndpoint } from './nameEndpoint.ts';
import { destinationText, noteNetwork, standInPortText, targetPortText, valueText } from './standInText.ts';
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

/**
 * The same of an endpoint's chain with two lines as kube-proxy writes them: its own packets are marked, and all are sent
 * to it. Nine of ten chains are such. Undefined: it has other lines.
 */
export function savedEndpointText(
  text: string,
  writer: StepWriter,
  jumpText: (chain: string) => string,
): string | undefined {
  const [, , v4, v6, protocol, transport, port] = endpointLines.exec(text) ?? [];
  const address = addressValue(v4 ?? v6 ?? '');
  if (address === undefined) return undefined;
  nameEndpoint(address, writer);
  const own = valueText(address, writer);
  return `-s ${own} ${jumpText('KUBE-MARK-MASQ')}\n-p ${protocol} -m ${transport} to ${own}:${targetPortText(Number(port), writer)}`;
}

// A reference to an address of the other family is empty: one must stand there.
const endpointLines = new RegExp(
  [
    `^-A (KUBE-SEP-[A-Z2-7]{16}) -s (?:([\\d.]+)/32|([\\da-f:]+)/128)${usualComment} -j KUBE-MARK-MASQ\n`,
    `-A \\1 -p (tcp|udp|sctp)${usualComment} -m (tcp|udp|sctp) -j DNAT --to-destination (?=[\\d[])(?:\\2|\\[\\3\\]):(\\d+)$`,
  ].join(''),
);

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
  const isHost = slash === -1 || text.slice(slash + 1) === (typeof value === 'number' ? '32' : '128');
  if (value !== undefined && isHost) return write(value, writer);
  noteNetwork(text, writer);
  return text;
}

function toText(to: string, writer: StepWriter): string {
  const target = targetOf(to);
  return target === undefined
    ? `to ${to}`
    : `to ${valueText(target.address, writer)}:${targetPortText(Number(target.port), writer)}`;
}

/** `10.0.0.1:80`, `[fd00::1]:80`; undefined: not one address and port. */
function targetOf(to: string): { readonly address: Value; readonly port: string } | undefined {
  const [, v6, v4, port] = /^(?:\[([\da-f.:]+)\]|([\d.]+)):(\d+)$/.exec(to) ?? [];
  const address = addressValue(v6 ?? v4 ?? '');
  return address === undefined || port === undefined ? undefined : { address, port };
}
