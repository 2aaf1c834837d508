import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { dumpPaths } from '../../dumps/dumpPaths.ts';
import { isDumpName } from '../../dumps/isDumpName.ts';
import { isFolder } from '../../dumps/isFolder.ts';
import type { FleetPath } from './fleetEntry.ts';

/**
 * The nodes that words name, in their order: a folder with folders or files of nodes stands for these, by name; an
 * archive of several nodes stands for those in it; any other word is one node. Undefined: the words are about one node,
 * as far as they show without `isAsked`, which takes each word for a node.
 */
export async function fleetPaths(
  words: readonly string[],
  isAsked: boolean,
): Promise<readonly FleetPath[] | undefined> {
  if (words.length === 0 || words.includes('-')) return undefined;
  const [only = ''] = words;
  if (words.length === 1) {
    const inside = isFolder(only) ? nodesBelow(only, isAsked) : undefined;
    if (inside !== undefined) return inside.map(nodePath);
    if (isArchive(only) && (await holdsSeveral(only))) return [{ kind: 'archive', path: only }];
    return isAsked ? [nodePath(only)] : undefined;
  }
  if (!isAsked && !words.every(isWhole) && !areNamedAfterNodes(words)) return undefined;
  const paths: FleetPath[] = [];
  for (const word of words) {
    const inside = isFolder(word) ? nodesBelow(word, false) : undefined;
    if (inside !== undefined) for (const path of inside) paths.push(nodePath(path));
    else paths.push({ kind: isArchive(word) && (await holdsSeveral(word)) ? 'archive' : 'node', path: word });
  }
  return paths;
}

/** The package that reads archives is loaded only for them. */
async function holdsSeveral(path: string): Promise<boolean> {
  return (await import('./archiveNodes.ts')).holdsSeveralNodes(path);
}

function nodePath(path: string): FleetPath {
  return { kind: isArchive(path) ? 'archive' : 'node', path };
}

/** Everything that a node shows is in it. */
function isWhole(word: string): boolean {
  return isFolder(word) || isArchive(word);
}

function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz|tar)$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The nodes in a folder; undefined: it is the folder of one node. */
function nodesBelow(folder: string, isAsked: boolean): readonly string[] | undefined {
  if (isFolder(join(folder, 'dumps')) || isFolder(join(folder, 'sos_commands'))) return undefined;
  const entries = readdirSync(folder, { withFileTypes: true })
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'))
    .sort(byNumbers);
  const folders = entries.map((name) => join(folder, name)).filter((path) => isFolder(path) && !isOfCluster(path));
  const nodes = folders.filter((path) => dumpPaths(path).length > 0 || isFolder(join(path, 'dumps')));
  const files = entries
    .map((name) => join(folder, name))
    .filter((path) => !isFolder(path) && (isArchive(path) || isDumpName(basename(path))));
  const areNodes = files.length > 1 && areNamedAfterNodes(files);
  if (nodes.length > 0 && (isAsked || areNodes || files.length === 0 || nodes.length > 1)) {
    return [...folders, ...files].sort(byNumbers);
  }
  return areNodes || (isAsked && files.length > 0 && !files.some(namesTool)) ? files : undefined;
}

/** Files that `collect --live` puts next to the nodes. */
function isOfCluster(folder: string): boolean {
  return basename(folder) === 'cluster' && !isFolder(join(folder, 'dumps'));
}

/**
 * Several files whose names do not name a tool: dumps of one node come from different programs. An ending that all have
 * tells none from another: `n1.nft` and `n2.nft` are nodes.
 */
function areNamedAfterNodes(paths: readonly string[]): boolean {
  const files = paths.filter((path) => !isFolder(path));
  const endings = new Set(paths.map((path) => extname(path)));
  const nameOf = (path: string) => (endings.size === 1 ? basename(path, extname(path)) : path);
  const isDump = (path: string) =>
    statSync(path, { throwIfNoEntry: false })?.isFile() !== true || !namesTool(nameOf(path));
  return files.every(isDump) && endings.size <= 2;
}

function namesTool(path: string): boolean {
  return basename(path)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => toolWords.has(word));
}

/** Names for files of one node: the tool that printed them, the family, the table, the time. */
const toolWords: ReadonlySet<string> = new Set(
  `iptables ip6tables ipset ipsets ipvs ipvsadm nft nftables legacy rules ruleset filter nat mangle raw route routes
   addr addresses link bridge conntrack sysctl lsmod modules facts health healthz metrics mode proxymode
   before after old new v4 v6 ipv4 ipv6 ip4 ip6 expected found golden`.split(/\s+/),
);

/** `n2` before `n10`. */
function byNumbers(one: string, other: string): number {
  return collator.compare(one, other);
}

const collator = new Intl.Collator('en', { numeric: true });
