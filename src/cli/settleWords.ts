import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { namespaceOfSender, partyWords } from '../common/text/partyWords.ts';
import { nodeOfWord } from './dumps/nodeWords.ts';
import { settlePort, takesPort } from './settlePort.ts';
import { settlePacketWords } from './words/packetWords.ts';

/**
 * Brings the user's words for Pods, Services, nodes, ports and protocols into the one spelling that commands read,
 * before they run: `-n` for names without a namespace, or that of the sender for a bare receiver, `--port` and `--protocol`
 * as well as `--proto`, and names and dumps in any order. Returns a contradiction, or undefined.
 */
export function settleWords(command: Command): string | undefined {
  if (command.registeredArguments[0]?.name() === 'dump' && takesPort(command)) settlePacketWords(command);
  const namespace = namespaceFor(command);
  for (const name of ['from', 'to', 'service'] as const) {
    const value: unknown = command.getOptionValue(name);
    const bare = namespace ?? (name === 'to' ? namespaceOfSender(senderOf(command)) : undefined);
    if (typeof value === 'string') command.setOptionValue(name, named(partyWords(value, namespace, bare), name));
  }
  settleArguments(command, namespace);
  return takesPort(command) ? settlePort(command) : undefined;
}

/** The command is about something with a name: -n gives its namespace, even if no cluster is read. */
export function asksForNames(command: Command): boolean {
  const isOption = ['from', 'to', 'service'].some((name) => typeof command.getOptionValue(name) === 'string');
  const first = command.registeredArguments[0]?.name() ?? '';
  const given: unknown = command.processedArgs[0];
  if (first === 'words') return isOption || (Array.isArray(given) && given.some((word) => isServiceWord(String(word))));
  return isOption || (nameArguments.has(first) && typeof given === 'string');
}

const nameArguments: ReadonlySet<string> = new Set(['where', 'name', 'policy']);

function namespaceFor(command: Command): string | undefined {
  const value: unknown = command.getOptionValue('namespace');
  return typeof value === 'string' && asksForNames(command) ? value : undefined;
}

/** In the spelling of `partyWords`. */
function senderOf(command: Command): string | undefined {
  const from: unknown = command.getOptionValue('from');
  return typeof from === 'string' ? from : undefined;
}

/** `--service` only takes Services. */
function named(words: string, option: 'from' | 'to' | 'service'): string {
  return option === 'service' ? words.replace(/^svc\//, '').replace(/^(?!.*\/)/, 'default/') : words;
}

/** Arguments, which commander passes to the action after this hook. */
function settleArguments(command: Command, namespace: string | undefined): void {
  const { registeredArguments } = command;
  const given = command.processedArgs as unknown[];
  const [first, second] = registeredArguments.map((argument) => argument.name());
  if (first !== undefined && nameArguments.has(first)) {
    const [name, others] = given;
    if (typeof name !== 'string') return;
    const words = second === 'dump' && Array.isArray(others) ? nameFirst([name, ...others]) : [name];
    given[0] = spelled(words[0] ?? '', first, namespace);
    if (second === 'dump' && Array.isArray(others)) given[1] = words.slice(1);
  }
  if (first === 'words' && Array.isArray(given[0]))
    given[0] = given[0].map((word) => serviceWord(String(word), namespace));
}

/** `whois` explains a port in every protocol. */
function spelled(word: string, argument: string, namespace: string | undefined): string {
  if (existsSync(word) || !/^(?:[a-z]|[\d.]+:|\[)/.test(word)) return word;
  const words = partyWords(word, namespace);
  return argument === 'name' ? words.replace(/(:[a-z0-9-]+)\/(?:tcp|udp|sctp)$/i, '$1') : words;
}

function serviceWord(word: string, namespace: string | undefined): string {
  return isServiceWord(word) ? spelled(word, 'name', namespace) : word;
}

/** Among dumps, a Service that cannot be one. */
function isServiceWord(word: string): boolean {
  return /^(?:svc|services?)[:/]|^[a-z][a-z0-9-]*\.[a-z0-9-]+\.svc\b/i.test(word) && !existsSync(word);
}

/** If a file is in the place of the name, and the next word is not a file, it is a dump. */
function nameFirst(words: readonly string[]): readonly string[] {
  const [first = '', ...others] = words;
  const at = others.findIndex((word) => word !== '-' && nodeOfWord(word) === undefined && !existsSync(word));
  if (at === -1 || !existsSync(first)) return words;
  return [others[at] ?? '', first, ...others.filter((_, index) => index !== at)];
}
