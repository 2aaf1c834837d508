import type { Namespace } from '../../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../../src/lab/runIn.ts';

/** A tool, and text for it: `iptables-legacy`, `ip6tables-nft`, `nft`, `ipset`. */
export type RulePart = readonly [tool: string, text: string];

/** Loads rules, in order, into a namespace that holds nothing else afterwards; what a tool said if it refuses. */
export async function loadParts(namespace: Namespace, parts: readonly RulePart[]): Promise<string | undefined> {
  await runIn(namespace, ['nft', 'flush', 'ruleset']);
  for (const [tool, names] of legacy) {
    const { stdout } = await tryIn(namespace, ['cat', names]);
    const tables = stdout.split('\n').filter((table) => table !== '');
    if (tables.length > 0) await runIn(namespace, [`${tool}-restore`, '-w'], emptied(tables));
  }
  // Sets that lists hold cannot be destroyed.
  await runIn(namespace, ['sh', '-c', 'ipset flush; ipset destroy']);
  for (const [tool, text] of parts) {
    if (text === '') continue;
    const { status, stderr } = await tryIn(namespace, commandOf(tool), text);
    if (status !== 0) return stderr.trim();
  }
  return undefined;
}

function commandOf(tool: string): readonly string[] {
  if (tool === 'nft') return ['nft', '-f', '-'];
  return tool === 'ipset' ? ['ipset', 'restore'] : [`${tool}-restore`, '-w'];
}

/** What is there of iptables-legacy stays, but not its rules. */
const legacy = [
  ['iptables-legacy', '/proc/net/ip_tables_names'],
  ['ip6tables-legacy', '/proc/net/ip6_tables_names'],
] as const;

function emptied(tables: readonly string[]): string {
  return tables.map((table) => `*${table}\nCOMMIT\n`).join('');
}
