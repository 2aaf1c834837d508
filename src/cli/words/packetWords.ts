import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { isUrl } from '../../common/text/isUrl.ts';
import { partyWords } from '../../common/text/partyWords.ts';
import { readParty } from '../../trace/question/readParty.ts';
import { isNodeWord } from '../dumps/nodeWords.ts';

/**
 * Sender and receiver may stand among the dumps: `why n1/ shop/client svc/web:80` is `why n1/ --from shop/client --to
 * svc/web:80`, also with `to` in between. Words that name files, or nodes of a cluster that is read, stay dumps; and all
 * stay what they are if the others are more than the question lacks.
 */
export function settlePacketWords(command: Command): void {
  const [words] = command.processedArgs as readonly unknown[];
  if (!Array.isArray(words) || command.getOptionValue('to') !== undefined) return;
  const others = words.map(String).filter((word) => !isDump(word, command));
  const parties = others.filter((word, at) => word !== 'to' || at !== 1 || others.length !== 3);
  const namespace: unknown = command.getOptionValue('namespace');
  const isNamed = (word: string) => isParty(word, typeof namespace === 'string' ? namespace : undefined);
  const hasSender = command.getOptionValue('from') !== undefined;
  if (!parties.some(isNamed) || !parties.every((word) => isNamed(word) || isBare(word))) return;
  if (parties.length > (hasSender ? 1 : 2)) return;
  const [to, from] = [...parties].reverse();
  if (from !== undefined) command.setOptionValue('from', from);
  command.setOptionValue('to', to);
  (command.processedArgs as unknown[])[0] = words.filter((word) => !others.includes(String(word)));
}

/** Nodes are dumps where a cluster is read. */
function isDump(word: string, command: Command): boolean {
  const isLive = command.getOptionValue('live') === true || command.getOptionValue('via') !== undefined;
  return word === '-' || (isLive && isNodeWord(word)) || existsSync(word);
}

function isParty(word: string, namespace: string | undefined): boolean {
  const withoutProtocol = word.replace(/\/(?:tcp|udp|sctp)$/i, '');
  if (isUrl(word) || isWorkload(withoutProtocol)) return true;
  return !isFileName(withoutProtocol) && readParty(partyWords(withoutProtocol, namespace)) !== undefined;
}

/** `deploy/web`, whose Pods are the party. */
function isWorkload(word: string): boolean {
  return /^[a-z]+\/(?:[a-z0-9-]+\/)?[a-z0-9-]+(?::[a-z0-9-]+)?$/.test(word);
}

/** `dump.txt` could be the name of a Service in DNS: those have a port, or `.svc`. */
function isFileName(word: string): boolean {
  return /^[a-z][\w-]*\.[\w-]+$/i.test(word) && !/\.svc$/.test(word);
}

/** A name without kind and namespace, beside a party that has them. */
function isBare(word: string): boolean {
  return /^[a-z0-9][a-z0-9-]*(?::[a-z0-9-]+(?:\/[a-z]+)?)?$/.test(word);
}
