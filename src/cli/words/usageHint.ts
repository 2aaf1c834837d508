import { existsSync } from 'node:fs';
import { isFolder } from '../dumps/paths/isFolder.ts';
import { commandMeant } from './commandMeant.ts';

/**
 * What the user probably meant by a wrong command line that many people try: another tool accepts it, or the help page
 * explains it too late. Undefined: the message says enough.
 */
export function usageHint(message: string, argv: readonly string[], options: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith('-'));
  const [command = '', ...given] = words;
  const file = given.at(-1) ?? 'FILE';
  if (command === 'check' && given.some(isServiceName))
    return `to ask about a Service: k8snet check-service ${argv.slice(argv.indexOf('check') + 1).join(' ')}`;
  if (/unknown option/.test(message)) return ofUnknownOption(message, command, file, options);
  if (/ with --live only/.test(message)) return ofCluster(message);
  if (/required option '-f, /.test(message)) {
    const path = given.find(isFile);
    return path === undefined
      ? 'pass manifests with -f FILE, or -f - for standard input'
      : withManifests(command, path);
  }
  if (/read only once/.test(message)) return 'write one of the two to a file';
  if (/too many arguments/.test(message)) return ofTooMany(command, given, options);
  if (/unknown command/.test(message)) return ofUnknownCommand(command);
  if (/missing required argument 'dump'/.test(message)) {
    if (command === 'diff') return ofDiff(argv);
    const path = argv.includes('-f') ? given.find((word) => isFile(word) && !isManifest(word)) : undefined;
    return path === undefined
      ? `name the file of a dump, or - for standard input: k8snet ${command} -`
      : `${command} takes dumps as arguments: k8snet ${command} ${path}`;
  }
  return ofValue(message, command);
}

function ofDiff(argv: readonly string[]): string {
  if (!argv.includes('-f'))
    return 'k8snet diff -f MANIFESTS DUMP compares with manifests, k8snet diff OLD NEW two dumps';
  const [first, second] = argv.filter((word) => !word.startsWith('-') && isFile(word));
  const isSwapped = first !== undefined && second !== undefined && !isManifest(first) && isManifest(second);
  return isSwapped
    ? `manifests go with -f, the dump behind them: k8snet diff -f ${second} ${first}`
    : '-f takes the .yaml files behind it: name the dump as well, k8snet diff -f MANIFESTS DUMP';
}

function isManifest(path: string): boolean {
  return /\.(?:ya?ml|json)$/.test(path);
}

function ofTooMany(command: string, given: readonly string[], options: readonly string[]): string | undefined {
  const [first = '', second] = given;
  if (command === 'versions') {
    if (isVersion(first)) {
      return second !== undefined && isVersion(second)
        ? `to compare two versions: k8snet versions --between ${first} ${second}`
        : `to see what a version changed: k8snet versions --explain-version ${first}`;
    }
    if (isFile(first)) return `to find out who wrote a dump: k8snet versions --detect ${first}`;
  }
  if (command === 'check') return 'the cases are in k8snet.yaml, or in the file that -c names';
  if (command === 'collect') return collectHint;
  if (options.includes('--mode') && modes.has(first))
    return `name the mode with --mode: k8snet ${command} --mode ${first === 'nft' ? 'nftables' : first}`;
  if (!options.includes('--filename')) return undefined;
  const words = given.slice(0, -1).filter((word) => /^[a-z.]+$/.test(word) && !isManifest(word));
  const called = takesManifests.has(command) ? command : [command, ...words.slice(0, 1)].join(' ');
  // Values of options stand among the words.
  return withManifests(called, given.find(isFile) ?? given.find(isManifest) ?? given.at(-1) ?? 'FILE');
}

/** A dump is not a manifest: if a file may be one, the hint does not suggest -f. */
function withManifests(command: string, path: string): string {
  const mayBeDump = isFile(path) && !isManifest(path) && !isFolder(path);
  return `pass manifests with -f: k8snet ${command} -f ${mayBeDump ? 'MANIFESTS' : path}`;
}

const modes: ReadonlySet<string> = new Set(['iptables', 'ipvs', 'nftables', 'nft']);

const takesManifests: ReadonlySet<string> = new Set(['compile', 'lint']);

/** Other tools have these options. */
function ofUnknownOption(
  message: string,
  command: string,
  file: string,
  options: readonly string[],
): string | undefined {
  const [, option = ''] = /unknown option '([^'=]*)/.exec(message) ?? [];
  if (command === '') return option === '-v' ? 'k8snet --version prints the version' : undefined;
  if (option === '-f' && takesDumps.has(command))
    return `${command} takes dumps as arguments: k8snet ${command} ${file}`;
  if (option === '-f' && command === 'check') return 'the cases are in k8snet.yaml, or in the file that -c names';
  if (option === '-k' && options.includes('--filename'))
    return `render it first: kubectl kustomize ${file} | k8snet ${command} -f -`;
  if (/^--(?:kubeconfig|context|cluster|server|all-namespaces)$|^-A$/.test(option)) {
    return `k8snet ${command} contacts no cluster: k8snet --help lists what does, with --live`;
  }
  const meant = otherOptions.find(
    ([pattern, own]) => pattern.test(option) && options.includes(own.split(' ')[0] ?? ''),
  );
  return meant && `that is ${meant[1]} here`;
}

/** Options of kubectl that only mean something if a cluster is read. */
function ofCluster(message: string): string {
  return message.includes('--namespace')
    ? 'objects without a namespace are in default; everything that is given is read'
    : 'add --live to read the cluster: k8snet contacts none unless it is told to';
}

const takesDumps: ReadonlySet<string> = new Set(['doctor', 'canon', 'import', 'convert']);

/** Options of other tools, and their names here. */
const otherOptions: readonly (readonly [pattern: RegExp, own: string])[] = [
  [/^--json$/, '--output json'],
  [/^--(?:format|form)$/, '--output'],
  [/^--proxy-mode$/, '--mode'],
  [/^--(?:version|k8s-version|kubernetes-version|proxy-version)$/, '--kube-version'],
  [/^--(?:node-name|nodename|hostname-override)$/, '--node'],
  [/^--(?:src|source|saddr|client)$/, '--from'],
  [/^--(?:dst|dest|destination|daddr|target|service)$/, '--to'],
  [/^--protocol$/, '--proto'],
  [/^--(?:port|dport)$/, '--to ADDRESS:PORT'],
  [/^--sport$/, '--from ADDRESS:PORT'],
  [/^--(?:pod-network-cidr|cluster-cidrs)$/, '--cluster-cidr'],
  [/^--(?:service-cluster-ip-range|svc-cidr)$/, '--service-cidr'],
  [/^(?:-4|--ipv4|--ip4)$/, '--family ipv4'],
  [/^(?:-6|--ipv6|--ip6)$/, '--family ipv6'],
];

function isVersion(word: string): boolean {
  return /^v?1\.\d+(?:\.\d+)?$/.test(word);
}

function ofValue(message: string, command: string): string | undefined {
  const [, option = '', value = ''] = /option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid/.exec(message) ?? [];
  if (option === '--to' && isVersion(value)) {
    return `--to names a mode; a version: --${command === 'migrate' ? 'to' : 'kube'}-version ${value}`;
  }
  if (option === '--kube-version' && /^(?:latest|newest|stable|current)$/.test(value)) {
    return 'without this option it is the version of the Node, else the newest known';
  }
  return undefined;
}

function ofUnknownCommand(word: string): string | undefined {
  if (word === 'version') return 'k8snet --version prints the version';
  const meant = commandMeant(word);
  if (meant !== undefined && !isFile(word)) return meant;
  if (!isFile(word)) return undefined;
  return isManifest(word)
    ? `to compile manifests: k8snet compile -f ${word}`
    : `to look at a dump: k8snet doctor ${word}; to compile manifests: k8snet compile -f ${word}`;
}

/** `shop/web`; cases of a check file have no slash. */
function isServiceName(word: string): boolean {
  return /^[a-z0-9-]+\/[a-z0-9-]+(?::[a-z0-9-]+)?$/.test(word) && !isFile(word);
}

function isFile(word: string): boolean {
  return /^[\w./-]+$/.test(word) && existsSync(word);
}

export const collectHint =
  'it prints commands to run on the node: k8snet collect -o script --from node | ssh NODE sudo sh -s -- FOLDER; or it reads the node: k8snet collect --live node/NAME -o FILE.tar.gz';
