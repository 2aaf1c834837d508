import { existsSync } from 'node:fs';

/**
 * What somebody probably meant whose command line is wrong in a way that many have tried: another tool takes it so, or the
 * help page says it too late. Undefined: the message says enough.
 */
export function usageHint(message: string, argv: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith('-'));
  const [command = '', ...given] = words;
  const file = given.at(-1) ?? 'FILE';
  if (/required option '-f, /.test(message)) {
    const path = given.find(isFile);
    return path === undefined
      ? 'pass manifests with -f FILE, or -f - for standard input'
      : `pass manifests with -f: k8snet ${command} -f ${path}`;
  }
  if (/too many arguments/.test(message) && takesManifests.has(command)) {
    return `pass manifests with -f: k8snet ${command} -f ${file}`;
  }
  if (/unknown command/.test(message)) return ofUnknownCommand(command);
  if (/missing required argument 'dump'/.test(message)) {
    return argv.includes('-f') && command === 'diff'
      ? '-f takes the .yaml files behind it: name the dump as well, k8snet diff -f MANIFESTS DUMP'
      : `name the file of a dump, or - for standard input: k8snet ${command} -`;
  }
  if (/unknown option '-f'/.test(message)) return `${command} takes dumps as arguments: k8snet ${command} ${file}`;
  if (/unknown option '(?:-n|--namespace)'/.test(message)) {
    return 'objects without a namespace are in default; everything that is given is read';
  }
  return /unknown option '-v'/.test(message) && command === '' ? 'k8snet --version prints the version' : undefined;
}

const takesManifests: ReadonlySet<string> = new Set(['compile', 'lint', 'check']);

function ofUnknownCommand(word: string): string | undefined {
  if (word === 'version') return 'k8snet --version prints the version';
  if (!isFile(word)) return undefined;
  return /\.(?:ya?ml|json)$/.test(word)
    ? `to compile manifests: k8snet compile -f ${word}`
    : `to look at a dump: k8snet doctor ${word}; to compile manifests: k8snet compile -f ${word}`;
}

function isFile(word: string): boolean {
  return /^[\w./-]+$/.test(word) && existsSync(word);
}
