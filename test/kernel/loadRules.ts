import type { Namespace } from '../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';

export type Backend = 'nft' | 'legacy';
export type ShortFamily = 'v4' | 'v6';

/** The iptables tool of a family and a backend: `ip6tables-legacy-restore`. */
export function iptablesTool(family: ShortFamily, backend: Backend, suffix: '' | '-restore' | '-save'): string {
  return `${family === 'v4' ? 'iptables' : 'ip6tables'}-${backend}${suffix}`;
}

/** Loads a whole dump: what the tables held before is gone. */
export async function loadSave(
  namespace: Namespace,
  family: ShortFamily,
  backend: Backend,
  text: string,
): Promise<void> {
  await runIn(namespace, [iptablesTool(family, backend, '-restore'), '-w'], text);
}

/**
 * Loads what kube-proxy hands to iptables-restore. `skeleton` brings what is there before it: chains and the jumps to
 * them (`jumpSkeleton`).
 */
export async function loadRestore(
  namespace: Namespace,
  family: ShortFamily,
  backend: Backend,
  text: string,
  skeleton: string,
): Promise<void> {
  const tool = iptablesTool(family, backend, '-restore');
  await runIn(namespace, [tool, '-w'], skeleton);
  await runIn(namespace, [tool, '-w', '--noflush', '--counters'], text);
}

/**
 * What kube-proxy has made with single commands before it loads its rules, as a text that iptables-restore takes: of a
 * dump, the rules in built-in chains, the chains they lead to, and the canaries. All other chains and rules must come
 * from the text that is loaded next.
 */
export function jumpSkeleton(save: string): string {
  const isJump = (line: string) => /^-A (PREROUTING|INPUT|FORWARD|OUTPUT|POSTROUTING) /.test(line);
  const lines = save.split('\n').filter((line) => !line.startsWith('#'));
  const targets = new Set(lines.filter(isJump).map((line) => line.slice(line.lastIndexOf(' ') + 1)));
  const isKept = (line: string) => {
    if (line.startsWith('-')) return isJump(line);
    if (!line.startsWith(':') || !line.includes(' - ')) return true;
    const chain = line.slice(1, line.indexOf(' '));
    return targets.has(chain) || chain.endsWith('-CANARY');
  };
  return lines.filter(isKept).join('\n');
}

/** What the tables hold, as iptables-save says it: table to lines, without comments and packet counters. */
export async function readIptables(
  namespace: Namespace,
  family: ShortFamily,
  backend: Backend,
): Promise<Readonly<Record<string, readonly string[]>>> {
  return tablesOfSave(await runIn(namespace, [iptablesTool(family, backend, '-save')]));
}

/**
 * A dump as table to lines. Comment lines and the order of tables mean nothing; counters are what passed by. A table
 * that holds nothing and accepts everything is left out: iptables-legacy shows those that somebody has looked at.
 */
export function tablesOfSave(save: string): Readonly<Record<string, readonly string[]>> {
  const tables: Record<string, readonly string[]> = {};
  for (const part of save
    .replaceAll(/^#.*\n/gm, '')
    .split(/^\*/m)
    .slice(1)) {
    const [name = '', ...lines] = part
      .replaceAll(/ \[[0-9]+:[0-9]+\]$/gm, '')
      .trimEnd()
      .split('\n');
    const isEmpty = lines.every((line) => line === 'COMMIT' || /^:[A-Z]+ ACCEPT$/.test(line));
    if (!isEmpty) tables[name] = lines;
  }
  return tables;
}

/** Loads an nftables transaction. */
export async function loadNft(namespace: Namespace, transaction: string): Promise<void> {
  await runIn(namespace, ['nft', '-f', '-'], transaction);
}

/** `nft list table FAMILY NAME`; empty where there is no such table. */
export async function readNft(namespace: Namespace, family: 'ip' | 'ip6' | 'inet', table: string): Promise<string> {
  const { status, stdout } = await tryIn(namespace, ['nft', 'list', 'table', family, table]);
  return status === 0 ? stdout : '';
}

/** Loads what `ipset save` prints; sets that are there already are filled up. */
export async function loadIpset(namespace: Namespace, text: string): Promise<void> {
  await runIn(namespace, ['ipset', 'restore', '-exist'], text);
}

/**
 * `ipset save` as set to its lines, sorted: the kernel keeps the members of a hash in no order. The random `initval` and
 * the size of buckets are left out.
 */
export async function readIpset(namespace: Namespace): Promise<Readonly<Record<string, readonly string[]>>> {
  const sets: Record<string, string[]> = {};
  for (const line of (await runIn(namespace, ['ipset', 'save'])).split('\n')) {
    const name = line.split(' ')[1];
    if (name === undefined) continue;
    sets[name] ??= [];
    sets[name].push(line.replace(/ bucketsize [0-9]+/, '').replace(/ initval 0x[0-9a-f]+/, ''));
  }
  for (const lines of Object.values(sets)) lines.sort();
  return sets;
}

/** Writes the settings of a sysctl.conf that belong to a network namespace; conntrack's sizes are the machine's. */
export async function loadSysctls(namespace: Namespace, conf: string): Promise<void> {
  const settings = conf.split('\n').filter((line) => /^net\.ipv[46]\./.test(line));
  for (const setting of settings) {
    const [name = '', value = ''] = setting.split(' = ');
    await runIn(namespace, ['tee', `/proc/sys/${name.replaceAll('.', '/')}`], value);
  }
}
