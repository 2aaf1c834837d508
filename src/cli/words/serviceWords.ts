import { existsSync } from 'node:fs';

/**
 * Whoever writes a Service as kubectl does, `svc/web`, asks about that Service, whatever the command is called:
 * `kubectl k8snet why svc/web -n shop` is `check-service`. Other command lines stay as they are: in those of `why` with
 * `--to` the Service is a receiver, and a file of that name is a dump.
 */
export function serviceWords(argv: readonly string[]): readonly string[] {
  const [command = '', ...words] = argv;
  if (isService(command, 0)) return [meant, ...argv];
  if (!asksWhy.has(command) || words.some((word) => /^--to(?:=|$)/.test(word))) return argv;
  const at = words.findIndex((word, index) => isService(word, index) && !takesValue.has(words[index - 1] ?? ''));
  return at === -1 || existsSync(words[at] ?? '') ? argv : [meant, ...words];
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
  return /^(?:svc|services?)\/./i.test(word) || (index === 0 && /^(?:svc|services?)$/i.test(word));
}
