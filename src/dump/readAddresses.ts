import type { Family } from '../common/family.ts';
import { canonicalIp, familyOf } from '../common/ip.ts';
import type { ReportLine } from '../netfilter/lineProblem.ts';
import { addLines, chainOf, type TableDraft } from '../node/chainDraft.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import type { DumpFile } from './dumpFile.ts';

/**
 * Reads the addresses of kube-ipvs0: `ip addr show`, of this device or of all, with or without `-d` and `-o`, or one
 * address a line.
 */
export function readAddresses(file: DumpFile, report: ReportLine): readonly ToolRules[] {
  const tables = new Map<Family, TableDraft>();
  let device: string | undefined;
  for (const [at, raw] of file.text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    device = (/^\d+: ([^\s:@]+)/.exec(line) ?? ifconfigDevice.exec(raw))?.[1] ?? device;
    const shown =
      /\binet6? (?:addr: ?)?(\S+)/.exec(line)?.[1] ?? (/^[0-9a-fA-F:.]+(?:\/\d{1,3})?$/.test(line) ? line : undefined);
    const ip = shown === undefined ? undefined : canonicalIp(shown.split('/')[0] as string);
    if (ip === undefined) {
      // What is indented below a device says more of it.
      const isOfDevice = /^\d+: /.test(line) || ifconfigDevice.test(raw) || (device !== undefined && /^\s/.test(raw));
      if (!isOfDevice && !/^(?:link\/|valid_lft )/.test(line)) {
        report({ line: at + 1, column: 1, word: line, message: 'not an address' });
      }
      continue;
    }
    if (ip.startsWith('fe80:')) continue;
    const family = familyOf(ip) as Family;
    let table = tables.get(family);
    if (table === undefined) {
      table = { name: 'addresses', isWhole: true, chains: new Map() };
      tables.set(family, table);
    }
    const chain = chainOf(table, 'kube-ipvs0', file.name);
    chain.isDeclared = true;
    if (device === undefined || device === 'kube-ipvs0') addLines(chain, ip, at + 1);
  }
  return [...tables].map(([family, table]) => ({
    kind: 'addresses',
    family,
    tables: new Map([['addresses', table]]),
    files: [file.name],
  }));
}

/** `eth0: flags=…` of ifconfig, and `eth0  Link encap:…` of older ones. */
const ifconfigDevice = /^([a-zA-Z][\w.-]*)(?:: flags=|\s+Link encap:)/;
