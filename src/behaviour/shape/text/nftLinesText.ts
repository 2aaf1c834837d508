import { addressValue } from '../../../netfilter/addressRanges.ts';
import { nameEndpoint } from './nameEndpoint.ts';
import { destinationText, noteNetwork, standInPortText, targetPortText, valueText } from './standInText.ts';
import type { StepWriter } from './stepWriter.ts';

/**
 * The lines of a chain in nft with placeholders, like those of iptables: words that are no address, port or chain stay.
 * Undefined: a line names a set, has quotes, or compares addresses otherwise than with an address or a network, and the
 * chain's rules must be read.
 */
export function nftLinesText(
  text: string,
  writer: StepWriter,
  branchText: (kind: 'jump' | 'goto', chain: string) => string,
): string | undefined {
  if (/["'@\\<>]|addr &/.test(text)) return undefined;
  // Endpoints get names before rules that match them as senders.
  for (const [line] of text.matchAll(translations)) {
    for (const [, , ip] of line.matchAll(tokens)) {
      const address = ip === undefined ? undefined : addressValue(ip);
      if (address !== undefined) nameEndpoint(address, writer);
    }
  }
  for (const [network] of text.matchAll(networks)) noteNetwork(network, writer);
  const withPorts = text.replace(translations, (part) =>
    part.replace(targets, (_, before: string, port: string) => `${before}${targetPortText(Number(port), writer)}`),
  );
  return withPorts.replace(
    tokens,
    (whole, before?: string, ip?: string, port?: string, kind?: string, chain?: string) => {
      if (port !== undefined) return `dport ${standInPortText(Number(port), writer)}`;
      if (chain !== undefined) return branchText(kind as 'jump' | 'goto', chain);
      const address = ip === undefined ? undefined : addressValue(ip);
      if (address === undefined) return whole;
      return before === undefined ? valueText(address, writer) : `${before}${destinationText(address, writer)}`;
    },
  );
}

const translations = /dnat.*/g;

/** `10.0.0.1:8080`, `[fd00::1]:8080`, and in a map `10.0.0.1 . 8080`. */
const targets = /((?:(?:\d{1,3}\.){3}\d{1,3}:|:[\da-f]*\]:|[.:][\da-f]* \. ))(\d+)(?![\w.:-])/g;

const v4 = /\d{1,3}(?:\.\d{1,3}){3}/.source;
const v6 = /[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}/.source;

/** Networks and ranges have no placeholders. */
const networks = new RegExp(`(?<![\\w.:/-])(?:(?:${v4}|${v6})/\\d+|${v4}-${v4}|${v6}-${v6})(?![\\w.:/-])`, 'g');

const address = new RegExp(`(?<![\\w.:/-])(?:${v4}(?![\\w./-])|${v6}(?![\\w.:/-]))`);
const tokens = new RegExp(
  `(daddr )?(${address.source})|(?<!\\w)dport (\\d+)(?![\\w-])|(?<!\\w)(jump|goto) ([^\\s,{}]+)`,
  'g',
);
