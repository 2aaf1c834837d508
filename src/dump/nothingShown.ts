import type { Family } from '../common/addresses/family.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import type { DumpFile } from './dumpFile.ts';

/** What it means if a program printed nothing, or only headings. */
export interface NothingShown {
  /** No members: the node has none. */
  readonly sets: readonly ToolRules[];
  /** Nothing shows which program printed it. */
  readonly isUnknown: boolean;
}

/**
 * Reads a file in which a program of IPVS mode had nothing to show, which means that the node has none of it. Headings
 * show which program wrote the file, otherwise its name does; it covers both families unless the name says one. An
 * empty list of rules does not count: every node has one back end without rules. Undefined: the file is not empty.
 */
export function nothingShown(file: DumpFile, asked: Family | undefined): NothingShown | undefined {
  if (file.kind !== undefined || file.text.length > longestBlank) return undefined;
  const lines = file.text.split('\n').flatMap((line) => line.trim() || []);
  const name = (file.name.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const kind = lines.length > 0 ? kindOfHeadings(lines) : kindOfName(name);
  if (kind === undefined) {
    const isRules = /tables|nft/.test(name);
    return lines.length > 0 ? undefined : { sets: [], isUnknown: !isRules };
  }
  const families: readonly Family[] = asked ? [asked] : familiesOfName(name);
  const sets = families.map((family): ToolRules => {
    const table = { name: kind, isWhole: true, chains: new Map() };
    return { kind, family, tables: new Map([[kind, table]]), files: [file.name] };
  });
  return { sets, isUnknown: false };
}

/** Headings are only a few lines. */
const longestBlank = 4096;

type Kind = 'ipvs' | 'ipset' | 'addresses';

function kindOfHeadings(lines: readonly string[]): Kind | undefined {
  if (
    lines.every((line) => /^(?:IP Virtual Server version |Prot LocalAddress:Port |-> RemoteAddress:Port )/.test(line))
  )
    return 'ipvs';
  const [device = '', ...more] = lines;
  if (/^Device "kube-ipvs0" does not exist\.?$/.test(device) && more.length === 0) return 'addresses';
  const isBare = more.every((line) => !/^\d+: |\binet6? /.test(line) || /\binet6 fe80:/.test(line));
  return /^\d+: kube-ipvs0\b(?!.*\binet)/.test(device) && isBare ? 'addresses' : undefined;
}

function kindOfName(name: string): Kind | undefined {
  if (/addr|ipvs0/.test(name)) return 'addresses';
  if (name.includes('ipvs')) return 'ipvs';
  return name.includes('ipset') ? 'ipset' : undefined;
}

function familiesOfName(name: string): readonly Family[] {
  if (/v6|inet6/.test(name)) return ['ipv6'];
  return /v4|inet4/.test(name) ? ['ipv4'] : ['ipv4', 'ipv6'];
}
