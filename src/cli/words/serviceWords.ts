import { existsSync } from 'node:fs';

/**
 * A Service in kubectl's form, `svc/web`, makes it a question about that Service, in every command:
 * `kubectl k8snet why svc/web -n shop` is `check-service`. Other command lines stay as they are: if a sender or
 * receiver is
 * named too, the Service is the other party, and a file with that name is a dump.
 */
export function serviceWords(argv: readonly string[]): readonly string[] {
  const [command = '', ...words] = argv;
  if (isService(command, 0)) return [meant, ...argv];
  if (!asksWhy.has(command) || words.some((word) => /^--(?:from|to)(?:=|$)/.test(word))) return argv;
  const isOption = (index: number) => takesValue.has(words[index - 1] ?? '');
  const at = words.findIndex((word, index) => isService(word, index) && !isOption(index));
  const hasSender = words.some((word, index) => index !== at && !isOption(index) && isParty(word));
  if (at === -1 || hasSender || existsSync(words[at] ?? '')) return argv;
  // The name stands before the dumps.
  const length = isWord(words[at]) ? 2 : 1;
  return [meant, ...words.slice(at, at + length), ...words.slice(0, at), ...words.slice(at + length)];
}

const meant = 'check-service';

/** What people call it. */
const asksWhy: ReadonlySet<string> = new Set([
  'why',
  'check',
  'doctor',
  'diagnose',
  'debug',
  'troubleshoot',
  'status',
  'describe',
  'inspect',
]);

const takesValue: ReadonlySet<string> = new Set(['--from', '-f', '--filename', '-n', '--namespace', '-o', '--output']);

/** `svc/web`, or at first `svc` with the name behind it. */
function isService(word: string, index: number): boolean {
  return /^(?:svc|services?)\/./i.test(word) || (index === 0 && isWord(word));
}

/** The kind alone: the name is the next word. */
function isWord(word = ''): boolean {
  return /^(?:svc|services?)$/i.test(word);
}

/** The possible sender or receiver in addition to the Service: with its kind, `shop/client`, or an address. */
function isParty(word: string): boolean {
  if (/^(?:po|pods?|no|nodes?|svc|services?)\/./i.test(word) || word === 'outside') return true;
  return (
    /^(?:[a-z0-9-]+\/[a-z0-9-]+(?::[a-z0-9-]+)?|[\d.]+(?::\d+)?|[0-9a-f:]*:[0-9a-f:]*)$/.test(word) && !existsSync(word)
  );
}
