import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { dumpPaths } from './dumpPaths.ts';
import { isDumpName } from './isDumpName.ts';
import { isFolder } from './isFolder.ts';

/** The nodes in a folder, as far as names show it; undefined: it is the folder of one node. `isAsked`: it holds nodes. */
export function nodesInFolder(folder: string, isAsked = false): readonly string[] | undefined {
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
export function areNamedAfterNodes(paths: readonly string[]): boolean {
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

/** What `collect` or sos packed. */
export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz|tar)$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
