import type { Value } from '../common/ranges/valueRange.ts';
import { addressValue } from '../netfilter/addressRanges.ts';
import { protocolNumbers } from '../trace/question/protocolName.ts';
import type { EventVerdict } from '../walk/flow.ts';

/** What the kernel reported for one packet at one rule, at the end of a chain, or at a policy. */
export interface KernelStep {
  /** Of packets with one id, or with one header where the log has no ids. */
  readonly packet: string;
  readonly backend: 'legacy' | 'nft' | undefined;
  readonly family: 'ip' | 'ip6' | 'inet';
  readonly table: string;
  readonly chain: string;
  readonly at: 'rule' | 'end' | 'policy';
  /** As dumps count; only iptables-legacy says it. */
  readonly number?: number;
  readonly handle?: number;
  readonly text?: string;
  readonly verdict?: EventVerdict;
  readonly target?: string;
  readonly header: KernelHeader | undefined;
  readonly mark?: number;
}

export interface KernelHeader {
  readonly source: Value;
  readonly destination: Value;
  readonly protocol: number;
  readonly sourcePort: number | undefined;
  readonly destinationPort: number | undefined;
  readonly flags: string | undefined;
  readonly inInterface: string | undefined;
  readonly outInterface: string | undefined;
  readonly inPort: string | undefined;
  readonly mark: number;
}

export interface KernelTrace {
  readonly steps: readonly KernelStep[];
  /** Lines that belong to a trace, or may, and cannot be read. */
  readonly unreadable: readonly { readonly line: number; readonly text: string }[];
}

/** Reads `nft monitor trace`, `xtables-monitor --trace` and TRACE lines of the kernel's log, also mixed. Linear. */
export function readKernelTrace(text: string): KernelTrace {
  const steps: KernelStep[] = [];
  const unreadable: { line: number; text: string }[] = [];
  const headers = new Map<string, KernelHeader>();
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const read = readLine(line, headers);
    if (read === undefined) unreadable.push({ line: at + 1, text: line.slice(0, mostShown) });
    else if (read !== 'header') steps.push(read);
  }
  return { steps, unreadable };
}

const mostShown = 120;

function readLine(line: string, headers: Map<string, KernelHeader>): KernelStep | 'header' | undefined {
  const nft = nftLine.exec(line);
  if (nft !== null) return nftStep(nft, headers);
  const packet = /^PACKET: (\d+) ([0-9a-f]+) (.*)$/.exec(line);
  if (packet !== null) {
    const header = logHeader(packet[3] ?? '');
    if (header === undefined) return undefined;
    headers.set(`xt ${packet[2]}`, header);
    return 'header';
  }
  const monitor = monitorLine.exec(line);
  if (monitor !== null) return monitorStep(monitor, headers);
  const log = /(?:^|\s)TRACE: ([^\s:]+):([^\s:]+):(rule|return|policy):(\d+) (.*)$/.exec(line);
  return log === null ? undefined : logStep(log);
}

const nftLine =
  /^trace id (\S+) (ip|ip6|inet) (\S+) (\S+) (packet:|rule|unknown rule handle|policy|verdict)(?: (.*))?$/;

function nftStep(found: RegExpExecArray, headers: Map<string, KernelHeader>): KernelStep | 'header' | undefined {
  const [, id = '', family = '', table = '', chain = '', kind = '', rest = ''] = found;
  const packet = `nft ${id}`;
  if (kind === 'packet:') {
    const header = nftHeader(rest);
    if (header === undefined) return undefined;
    headers.set(packet, header);
    return 'header';
  }
  const mark = /(?:^| )meta mark (0x[0-9a-f]+|\d+)\s*$/.exec(rest)?.[1];
  const base = {
    packet,
    backend: 'nft' as const,
    family: family as KernelStep['family'],
    table,
    chain,
    header: headers.get(packet),
    ...(kind === 'policy' && mark !== undefined && { mark: Number(mark) >>> 0 }),
  };
  if (kind === 'policy' || kind === 'verdict') {
    const verdict = verdictOf(rest.split(' ')[0] ?? '');
    if (verdict === undefined) return undefined;
    return kind === 'policy' ? { ...base, at: 'policy', verdict } : { ...base, at: 'end' };
  }
  const rule = /^(.*) ?\(verdict ([a-z]+)(?: (\S+))?\)/.exec(rest);
  const verdict = verdictOf(rule?.[2] ?? '');
  if (rule === null || verdict === undefined) return undefined;
  const shown = (rule[1] ?? '').trim();
  const handle = kind === 'rule' ? /# handle (\d+)$/.exec(shown)?.[1] : /^\d+/.exec(shown)?.[0];
  return {
    ...base,
    at: 'rule',
    verdict,
    ...(rule[3] !== undefined && { target: rule[3] }),
    ...(handle !== undefined && { handle: Number(handle) }),
    ...(kind === 'rule' && { text: shown.replace(/ ?# handle \d+$/, '') }),
  };
}

function nftHeader(text: string): KernelHeader | undefined {
  const [, source = ''] = / ip6? saddr (\S+)/.exec(` ${text}`) ?? [];
  const [, destination = ''] = / ip6? daddr (\S+)/.exec(` ${text}`) ?? [];
  const [from, to] = [addressValue(source), addressValue(destination)];
  if (from === undefined || to === undefined) return undefined;
  const named = /(?:^| )(tcp|udp|sctp|icmpv6|icmp) (?:sport|type) /.exec(text)?.[1];
  const shown = /(?:^| )(?:ip protocol|ip6 nexthdr|meta l4proto) (\S+)/.exec(text)?.[1];
  const flags = /(?:^| )tcp flags (?:== )?(\S+)/.exec(text)?.[1];
  return {
    source: from,
    destination: to,
    protocol: protocolOf(named ?? shown),
    sourcePort: portOf(/(?:^| )(?:tcp|udp|sctp) sport (\d+)/.exec(text)?.[1]),
    destinationPort: portOf(/(?:^| )(?:tcp|udp|sctp) dport (\d+)/.exec(text)?.[1]),
    flags: flags === undefined ? undefined : nftFlags(flags),
    inInterface: /(?:^| )iif(?:name)? "?([^\s"]+)/.exec(text)?.[1],
    outInterface: /(?:^| )oif(?:name)? "?([^\s"]+)/.exec(text)?.[1],
    inPort: undefined,
    mark: Number(/(?:^| )meta mark (0x[0-9a-f]+|\d+)/.exec(text)?.[1] ?? 0) >>> 0,
  };
}

const flagNames = ['fin', 'syn', 'rst', 'psh', 'ack', 'urg'];

function nftFlags(text: string): string {
  const bits = Number(text);
  const isSet = (name: string, at: number) =>
    Number.isNaN(bits) ? text.split(/[|,]/).includes(name) : (bits & (1 << at)) !== 0;
  return flagNames
    .filter(isSet)
    .map((name) => name[0]?.toUpperCase())
    .join('');
}

const monitorLine =
  /^TRACE: (\d+) ([0-9a-f]+) ([^\s:]+):([^\s:]+):(?:rule:0x([0-9a-f]+):([A-Z]+|0xfffffffb)(?::(\S+))?|(return|policy):?([A-Z]*):?)(?:\s+(.*))?$/;

function monitorStep(found: RegExpExecArray, headers: Map<string, KernelHeader>): KernelStep | undefined {
  const [, net, id, table = '', chain = '', handle, shown, target, end, endVerdict = '', text] = found;
  const packet = `xt ${id}`;
  const base = {
    packet,
    backend: 'nft' as const,
    family: net === '10' ? ('ip6' as const) : ('ip' as const),
    table,
    chain,
    header: headers.get(packet),
  };
  if (end === 'return') return { ...base, at: 'end' };
  // xtables-monitor has no word for a RETURN.
  const verdict = verdictOf(shown === '0xfffffffb' ? 'return' : (shown ?? endVerdict).toLowerCase());
  if (verdict === undefined) return undefined;
  if (end === 'policy') return { ...base, at: 'policy', verdict };
  const rule = text?.replace(/^-[46] -t \S+ /, '').trim();
  return {
    ...base,
    at: 'rule',
    verdict,
    handle: Number.parseInt(handle ?? '', 16),
    ...(target !== undefined && { target }),
    ...(rule !== undefined && rule !== '' && { text: rule }),
  };
}

function logStep(found: RegExpExecArray): KernelStep | undefined {
  const [, table = '', chain = '', kind, number, rest = ''] = found;
  const header = logHeader(rest);
  if (header === undefined) return undefined;
  const word = (name: string) => wordOf(rest, name) ?? '';
  const isV6 = typeof header.source === 'bigint';
  const own = isV6 ? `${word('SRC')} ${word('FLOWLBL')}` : word('ID');
  return {
    packet: ['log', own, header.protocol, word('LEN'), word('SPT'), word('SEQ')].join(' '),
    backend: undefined,
    family: isV6 ? 'ip6' : 'ip',
    table,
    chain,
    at: kind === 'rule' ? 'rule' : kind === 'return' ? 'end' : 'policy',
    number: Number(number),
    header,
  };
}

/** `IN=eth0 OUT= SRC=… DST=… PROTO=TCP SPT=… DPT=… SYN MARK=0x1`; xtables-monitor writes SPORT and DPORT. */
function logHeader(text: string): KernelHeader | undefined {
  const source = addressValue(wordOf(text, 'SRC') ?? '');
  const destination = addressValue(wordOf(text, 'DST') ?? '');
  if (source === undefined || destination === undefined) return undefined;
  // What an ICMP error quotes stands in brackets.
  const own = text.replace(/\[.*$/, '');
  const flags = flagNames.filter((name) => ` ${own} `.includes(` ${name.toUpperCase()} `));
  const shown =
    wordOf(own, 'PROTO') ?? (wordOf(own, 'SPORT') === undefined ? undefined : flags.length > 0 ? 'tcp' : 'udp');
  const isTcp = protocolOf(shown) === 6;
  return {
    source,
    destination,
    protocol: protocolOf(shown ?? (wordOf(own, 'TYPE') === undefined ? undefined : 'icmp')),
    sourcePort: portOf(wordOf(own, 'SPT') ?? wordOf(own, 'SPORT')),
    destinationPort: portOf(wordOf(own, 'DPT') ?? wordOf(own, 'DPORT')),
    flags: isTcp ? flags.map((name) => name[0]?.toUpperCase()).join('') : undefined,
    inInterface: wordOf(own, 'IN') || undefined,
    outInterface: wordOf(own, 'OUT') || undefined,
    inPort: wordOf(own, 'PHYSIN') || undefined,
    mark: Number(wordOf(text, 'MARK') ?? 0) >>> 0,
  };
}

function wordOf(text: string, name: string): string | undefined {
  const start = ` ${text}`.indexOf(` ${name}=`);
  return start < 0 ? undefined : /^\S*/.exec(text.slice(start + name.length + 1))?.[0];
}

function portOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) && Number(text) < 65536 ? Number(text) : undefined;
}

function protocolOf(text: string | undefined): number {
  if (text !== undefined && /^\d+$/.test(text)) return Number(text);
  return protocols.get((text ?? '').toLowerCase()) ?? 255;
}

const protocols: ReadonlyMap<string, number> = new Map([...protocolNumbers, ['ipv6-icmp', 58]]);

function verdictOf(text: string): EventVerdict | undefined {
  return verdicts.find((verdict) => verdict === text);
}

const verdicts: readonly EventVerdict[] = ['accept', 'drop', 'jump', 'goto', 'return', 'continue', 'queue', 'stolen'];
