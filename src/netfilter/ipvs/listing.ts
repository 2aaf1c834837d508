import type { Family } from '../../common/addresses/family.ts';
import { pushAll } from '../../common/pushAll.ts';
import type { LineProblem, ReportLine } from '../lineProblem.ts';
import { canonicalMask, familyOf, printHostPort, readHostPort } from './address.ts';
import type { PlacedCommand } from './applyCommands.ts';
import type { IpvsCommand, IpvsState, RealServer, ServiceAddress, ServiceSettings, VirtualService } from './ast.ts';
import { canonicalFlags } from './schedulerFlags.ts';

/** A line of `ipvsadm -Ln` with those that it was wrapped into. */
interface Entry {
  readonly line: number;
  readonly words: string[];
}

/** The lines, without blanks around them, are of `ipvsadm -L`. */
export function isListing(lines: readonly string[]): boolean {
  return lines.some((line) => titles.test(line) || startsEntry(line));
}

/**
 * The commands that make the services of `ipvsadm -Ln`. Blanks separate columns, because long addresses move them, and
 * an entry continues on the next line if that can only be its rest. Lists with other columns (`--stats`, `--rate`,
 * `--thresholds` …) show services without settings.
 */
export function* listedCommands(lines: readonly string[], report: ReportLine): Iterable<PlacedCommand> {
  let open: Entry | undefined;
  let service: ServiceAddress | undefined;
  let isCounted = false;
  const isShownWhole = lines.some((line) => line.startsWith('Prot ') && !counterColumns.test(line));
  const seen = new Set<string>();
  for (const [at, content] of lines.entries()) {
    const line = at + 1;
    if (content === '' || titles.test(content) || isPrompt(content)) {
      yield* close();
      if (/^(?:IP Virtual Server|Prot )/.test(content)) isCounted = counterColumns.test(content);
    } else if (startsEntry(content) && isCounted) {
      if (!isShownWhole) yield* counted(content, line);
    } else if (startsEntry(content)) {
      yield* close();
      open = { line, words: content.split(/\s+/) };
    } else if (open !== undefined && isRestOf(open, content.split(/\s+/))) {
      pushAll(open.words, content.split(/\s+/));
    } else {
      yield* close();
      report(problem(line, content, 'no line of ipvsadm -Ln'));
    }
  }
  yield* close();

  /** The same list may be there twice, with different counters. */
  function* counted(content: string, line: number): Iterable<PlacedCommand> {
    const read = readCounted(content.split(/\s+/), service);
    if (read === undefined) {
      report(problem(line, content, 'no line of ipvsadm -Ln --stats (without -n names are shown)'));
      return;
    }
    if (read.kind === 'addService') service = read.service.address;
    const text = JSON.stringify(read);
    if (!seen.has(text)) yield { command: read, line };
    seen.add(text);
  }

  function* close(): Iterable<PlacedCommand> {
    if (open === undefined) return;
    const { line, words } = open;
    open = undefined;
    if (words[0] !== '->') {
      const settings = readService(words);
      service = settings?.address;
      if (settings === undefined)
        report(problem(line, words.join(' '), 'no service of ipvsadm -Ln (without -n names are shown)'));
      else yield { command: { kind: 'addService', service: settings }, line };
      return;
    }
    const server = readServer(words);
    if (server === undefined)
      report(problem(line, words.join(' '), 'no server of ipvsadm -Ln (without -n names are shown)'));
    else if (service === undefined) report(problem(line, words.join(' '), 'a server without its service'));
    else yield { command: { kind: 'addServer', address: service, server }, line };
  }
}

/** A state as `ipvsadm -Ln` prints it. It has no place for timeouts, kinds of tunnels and connections that we know. */
export function* printListing(state: IpvsState): Iterable<string> {
  yield 'IP Virtual Server version 1.2.1 (size=4096)\n';
  yield 'Prot LocalAddress:Port Scheduler Flags\n';
  yield '  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn\n';
  for (const service of state.services) yield `${serviceLine(service)}\n${service.servers.map(serverLine).join('')}`;
}

const titles = /^(?:IP Virtual Server version|Prot LocalAddress:Port|-> RemoteAddress:Port)/;

function startsEntry(content: string): boolean {
  return /^(?:TCP|UDP|SCTP|FWM)\s+\S/.test(content) || /^->\s+(?!RemoteAddress)\S/.test(content);
}

/** `root@node:~# ipvsadm -Ln`, or a prompt alone. */
function isPrompt(content: string): boolean {
  return (
    /(?:^|[$#>%\]] ?)(?:sudo )?ipvsadm\b/.test(content) ||
    /^\S*(?: \S+)?[$#%>]$/.test(content) ||
    content.startsWith('#')
  );
}

/** The columns of `--stats`, `--rate`, `--thresholds` and `--persistent-conn`. */
const counterColumns = /^Prot .*(?:Conns |CPS|Uthreshold|PersistConn)/;

/** Numbers follow the address: `1202`, `28K`, of rates `3`. */
function readCounted(words: readonly string[], service: ServiceAddress | undefined): IpvsCommand | undefined {
  const [first, text = '', ...counts] = words;
  if (!counts.every((count) => /^\d+[KMGT]?$/.test(count))) {
    const settings = first === '->' ? undefined : readService(words);
    return settings && { kind: 'addService', service: { ...settings, isCounted: true } };
  }
  if (first === '->') {
    const host = readHostPort(text);
    if (host?.port === undefined || service === undefined) return undefined;
    const server = { ip: host.ip, port: host.port, forward: 'masquerade', weight: 1 } as const;
    return { kind: 'addServer', address: service, server };
  }
  const address = readAddress(first, text, counts[0]);
  return address && { kind: 'addService', service: { address, scheduler: 'rr', flags: [], isCounted: true } };
}

/** Columns of a server: `-> address forward weight active inactive`. */
const serverColumns = 6;

function isRestOf({ words }: Entry, rest: readonly string[]): boolean {
  if (words[0] === '->')
    return words.length + rest.length <= serverColumns && rest.every((word) => restOfServer.test(word));
  return words.length < 3 ? true : rest.every((word) => restOfService.test(word));
}

const restOfServer = /^(?:Masq|Route|Tunnel|Local|\d+)$/;
const restOfService = /^(?:persistent|mask|pe|ops|sip|\d+|\d+\.\d+\.\d+\.\d+|\([a-z0-9,-]+\))$/;

function readService(words: readonly string[]): ServiceSettings | undefined {
  const [protocol, text = '', ...rest] = words;
  const isMark = protocol === 'FWM';
  const isMarkV6 = isMark && rest[0] === 'IPv6';
  const [scheduler, ...flags] = isMarkV6 ? rest.slice(1) : rest;
  if (scheduler === undefined || !/^[a-z][a-z0-9_-]*$/.test(scheduler)) return undefined;
  const address = readAddress(protocol, text, rest[0]);
  return address && readFlags(address, scheduler, flags);
}

function readAddress(protocol: string | undefined, text: string, next: string | undefined): ServiceAddress | undefined {
  if (protocol === 'FWM') {
    if (!/^\d{1,10}$/.test(text)) return undefined;
    return { kind: 'mark', mark: Number(text), family: next === 'IPv6' ? 'ipv6' : 'ipv4' };
  }
  const host = readHostPort(text);
  if (host?.port === undefined) return undefined;
  const name = (protocol as string).toLowerCase() as 'tcp' | 'udp' | 'sctp';
  return { kind: 'address', protocol: name, ip: host.ip, port: host.port };
}

function readFlags(address: ServiceAddress, scheduler: string, words: readonly string[]): ServiceSettings | undefined {
  const family: Family = address.kind === 'mark' ? address.family : familyOf(address.ip);
  let seconds: number | undefined;
  let mask: string | undefined | false;
  let engine: string | undefined;
  let isOnePacket = false;
  let flags: readonly string[] | undefined = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const value = words[at + 1] ?? '';
    if (word === 'ops') isOnePacket = true;
    else if (word.startsWith('(') && word.endsWith(')'))
      flags = canonicalFlags(word.slice(1, -1).split(','), scheduler);
    else if (word === 'persistent' && /^\d{1,10}$/.test(value)) seconds = Number(value);
    else if (word === 'mask') mask = canonicalMask(value, family);
    else if (word === 'pe' && value !== '') engine = value;
    else return undefined;
    if (word === 'persistent' || word === 'mask' || word === 'pe') at += 1;
  }
  if (mask === false || flags === undefined || (mask !== undefined && seconds === undefined)) return undefined;
  return {
    address,
    scheduler,
    ...(seconds !== undefined && { persistence: { seconds, ...(mask !== undefined && { mask }) } }),
    ...(isOnePacket && { isOnePacket: true }),
    ...(engine !== undefined && { engine }),
    flags,
  };
}

const forwards: ReadonlyMap<string, RealServer['forward']> = new Map<string, RealServer['forward']>([
  ['Masq', 'masquerade'],
  ['Route', 'route'],
  ['Local', 'local'],
  ['Tunnel', { kind: 'tunnel', type: 'ipip' }],
]);

function readServer([, text = '', forwardText = '', weight = '', ...counts]: readonly string[]):
  | RealServer
  | undefined {
  const host = readHostPort(text);
  const forward = forwards.get(forwardText);
  const isRead = host?.port !== undefined && /^\d{1,10}$/.test(weight) && counts.every((count) => /^\d+$/.test(count));
  if (!isRead || forward === undefined || counts.length > 2) return undefined;
  return { ip: host.ip, port: host.port as number, forward, weight: Number(weight) };
}

function serviceLine({ address, scheduler, persistence, isOnePacket, engine, flags }: VirtualService): string {
  let text: string;
  if (address.kind === 'mark') text = `FWM  ${address.mark}${address.family === 'ipv6' ? ' IPv6' : ''}`;
  else text = `${address.protocol.toUpperCase().padEnd(4)} ${printHostPort(address.ip, address.port)}`;
  text += ` ${scheduler}`;
  if (flags.length > 0) text += ` (${flags.join(',')})`;
  if (persistence !== undefined) {
    text += ` persistent ${persistence.seconds}`;
    if (persistence.mask !== undefined) text += ` mask ${persistence.mask}`;
  }
  if (engine !== undefined) text += ` pe ${engine}`;
  return isOnePacket ? `${text} ops` : text;
}

function serverLine({ ip, port, forward, weight }: RealServer): string {
  const name = { masquerade: 'Masq', route: 'Route', local: 'Local', tunnel: 'Tunnel' }[
    typeof forward === 'string' ? forward : forward.kind
  ];
  const columns = [printHostPort(ip, port).padEnd(28), name.padEnd(7), String(weight).padEnd(6), '0'.padEnd(10)];
  return `  -> ${columns.join(' ')} ${'0'.padEnd(10)}\n`;
}

function problem(line: number, content: string, message: string): LineProblem {
  return { line, column: 1, word: content.split(/\s/)[0] ?? '', message };
}
