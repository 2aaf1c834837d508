import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { isTyped } from '../../netfilter/isTyped.ts';
import type { ReportLine } from '../../netfilter/lineProblem.ts';
import { addLines, chainOf, type TableDraft } from '../../node/chains/chainDraft.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { DumpFile } from '../dumpFile.ts';

/**
 * Reads the addresses of kube-ipvs0: from `ip addr show`, for this device or all, with or without `-d`, `-o` or `-br`,
 * or from one address a line. It also reads ifconfig, which omits all but the first IPv4 address of a device, and
 * without -a the device itself.
 */
export function readAddresses(file: DumpFile, report: ReportLine): readonly ToolRules[] {
  const tables = new Map<Family, TableDraft>();
  const devices = new Set<string>();
  let isShort = false;
  const add = (ip: string, device: string | undefined, line: number) => {
    if (ip.startsWith('fe80:')) return;
    const family = familyOf(ip) as Family;
    let table = tables.get(family);
    if (table === undefined) {
      table = { name: 'addresses', isWhole: true, chains: new Map() };
      tables.set(family, table);
    }
    const chain = chainOf(table, ipvsDevice, file.name);
    chain.isDeclared = true;
    if (device === undefined || device === ipvsDevice) addLines(chain, ip, line);
  };
  let device: string | undefined;
  for (const [at, raw] of file.text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || isTyped(line, 'ip', 'ifconfig')) continue;
    const brief = briefDevice.exec(raw);
    const short = ifconfigDevice.exec(raw);
    isShort ||= short !== null;
    device = (/^\d+: ([^\s:@]+)/.exec(line) ?? short ?? brief)?.[1] ?? device;
    if (device !== undefined) devices.add(device);
    if (brief !== null) {
      for (const word of line.split(/\s+/)) {
        const ip = word.includes('/') ? canonicalIp(word.split('/')[0] as string) : undefined;
        if (ip !== undefined) add(ip, device, at + 1);
      }
      continue;
    }
    const shown =
      /\binet6? (?:addr: ?)?(\S+)/.exec(line)?.[1] ?? (/^[0-9a-fA-F:.]+(?:\/\d{1,3})?$/.test(line) ? line : undefined);
    const ip = shown === undefined ? undefined : canonicalIp(shown.split('/')[0] as string);
    if (ip !== undefined) {
      add(ip, device, at + 1);
      continue;
    }
    // Lines that are indented below a device belong to it.
    const isOfDevice = /^\d+: /.test(line) || short !== null || (device !== undefined && /^\s/.test(raw));
    if (!isOfDevice && !/^(?:link\/|valid_lft )/.test(line)) {
      report({ line: at + 1, column: 1, word: line, message: 'not an address' });
    }
  }
  // `ip addr show eth0` shows no other device: every node has lo, and a listing of kube-ipvs0 says all about it.
  const isPiece = devices.size > 0 && !devices.has('lo') && !devices.has(ipvsDevice);
  return [...tables].map(([family, table]) => {
    const isWhole = !isPiece && (!isShort || (family === 'ipv6' && devices.has(ipvsDevice)));
    return {
      kind: 'addresses',
      family,
      tables: new Map([['addresses', { ...table, isWhole }]]),
      files: [file.name],
    };
  });
}

/** `eth0: flags=…` of ifconfig, and `eth0  Link encap:…` of older ones; `eth0:1` is a further address of eth0. */
const ifconfigDevice = /^([a-zA-Z][\w.-]*)(?::[\w.-]+)?(?:: flags=|\s+Link encap:)/;
/** `eth0@if4         UP             10.0.0.1/24`. */
const briefDevice =
  /^([a-zA-Z][\w.-]*)(?:@\S+)?\s+(?:UNKNOWN|UP|DOWN|LOWERLAYERDOWN|DORMANT|TESTING|NOTPRESENT)(?:\s|$)/;
