import { canonicalMask, familyOf, printHostPort, readHostPort } from './address.ts';
import type { IpvsCommand, RealServer, ServiceAddress, ServiceSettings, Tunnel } from './ast.ts';
import { type IpvsOptions, readIpvsOptions } from './options.ts';
import { canonicalFlags } from './schedulerFlags.ts';

export type CommandResult =
  | { readonly command: IpvsCommand }
  /** `badWord` counts from 0. */
  | { readonly badWord: number; readonly message: string };

/**
 * Reads one line of `ipvsadm -Sn`, or of what `ipvsadm -R` takes: any command, long options, `ipvsadm` in front. What a
 * line leaves out is what ipvsadm makes of it: scheduler wlc, 360 seconds, forwarding by route, weight 1.
 */
export function parseCommand(line: string): CommandResult {
  const words = line.split(/\s+/).filter((word) => word !== '');
  const shift = words[0] === 'ipvsadm' ? 1 : 0;
  const read = readIpvsOptions(words, shift);
  if ('badWord' in read) return read;
  const { kind } = read;
  if (kind === 'clear') return { command: { kind } };
  if (kind === 'setTimeouts') {
    const [tcp, tcpFin, udp] = read.timeouts as readonly [number, number, number];
    return { command: { kind, timeouts: { tcp, tcpFin, udp } } };
  }
  const address = serviceAddress(read);
  if (address === undefined) {
    return bad(read.places.get('service') ?? shift, 'no address and port of a service; names are read by ipvsadm -n');
  }
  switch (kind) {
    case 'addService':
    case 'editService': {
      const service = settings(read, address);
      if ('badWord' in service) return service;
      return { command: { kind, service } };
    }
    case 'deleteService':
      return { command: { kind, address } };
    case 'addServer':
    case 'editServer': {
      const server = realServer(read, address);
      return server === undefined ? noServer(read, shift) : { command: { kind, address, server } };
    }
    case 'deleteServer': {
      const host = readHostPort(read.values.get('server') ?? '');
      if (host === undefined) return noServer(read, shift);
      return { command: { kind, address, ip: host.ip, port: host.port ?? portOf(address) } };
    }
  }
}

/** The command as `ipvsadm -Sn` spells it and `ipvsadm -R` reads it; without a newline. */
export function printCommand(command: IpvsCommand): string {
  switch (command.kind) {
    case 'clear':
      return '-C';
    case 'setTimeouts': {
      const { tcp, tcpFin, udp } = command.timeouts;
      return `--set ${tcp} ${tcpFin} ${udp}`;
    }
    case 'addService':
    case 'editService':
      return `${letters[command.kind]} ${printService(command.service)}`;
    case 'deleteService':
      return `-D ${printAddress(command.address)}`;
    case 'addServer':
    case 'editServer':
      return `${letters[command.kind]} ${printAddress(command.address)} ${printServer(command.server)}`;
    case 'deleteServer':
      return `-d ${printAddress(command.address)} -r ${printHostPort(command.ip, command.port)}`;
  }
}

const letters = { addService: '-A', editService: '-E', addServer: '-a', editServer: '-e' } as const;

const protocols = { tcp: '-t', udp: '-u', sctp: '--sctp-service' } as const;

function printAddress(address: ServiceAddress): string {
  if (address.kind === 'mark') return `-f ${address.mark}${address.family === 'ipv6' ? ' -6' : ''}`;
  return `${protocols[address.protocol]} ${printHostPort(address.ip, address.port)}`;
}

function printService({ address, scheduler, persistence, isOnePacket, engine, flags }: ServiceSettings): string {
  let text = `${printAddress(address)} -s ${bare(scheduler)}`;
  if (persistence !== undefined) {
    text += ` -p ${persistence.seconds}`;
    if (persistence.mask !== undefined) text += ` -M ${bare(persistence.mask)}`;
  }
  if (isOnePacket) text += ' -o';
  if (engine !== undefined) text += ` --pe ${bare(engine)}`;
  return flags.length === 0 ? text : `${text} -b ${bare(flags.join(','))}`;
}

function printServer({ ip, port, forward, weight }: RealServer): string {
  const head = `-r ${printHostPort(ip, port)}`;
  if (typeof forward === 'string') {
    // Nobody can ask for a local server; the kernel makes a routed one local by itself.
    return `${head} ${forward === 'masquerade' ? '-m' : '-g'} -w ${weight}`;
  }
  let text = `${head} -i -w ${weight} --tun-type ${bare(forward.type)}`;
  if (forward.port !== undefined) text += ` --tun-port ${forward.port}`;
  if (forward.checksum !== undefined) text += ` --tun-${bare(forward.checksum)}`;
  return text;
}

/** Nothing that is read or compiled can end the line or the word. */
function bare(text: string): string {
  const safe = text.replace(/[\s\0]/g, '?');
  return safe === '' ? '?' : safe;
}

function serviceAddress({ service, values, flags }: IpvsOptions): ServiceAddress | undefined {
  const text = values.get('service');
  if (text === undefined || service === undefined) return undefined;
  if (service === 'mark') {
    if (!/^\d{1,10}$/.test(text) || Number(text) > 0xffffffff || Number(text) === 0) return undefined;
    return { kind: 'mark', mark: Number(text), family: flags.has('ipv6') ? 'ipv6' : 'ipv4' };
  }
  const host = readHostPort(text);
  return host && { kind: 'address', protocol: service, ip: host.ip, port: host.port ?? 0 };
}

function settings(read: IpvsOptions, address: ServiceAddress): ServiceSettings | { badWord: number; message: string } {
  const { values, flags, places } = read;
  const scheduler = values.get('scheduler') ?? 'wlc';
  const written = values.get('flags');
  const schedulerFlags = canonicalFlags(written === undefined ? [] : written.split(','), scheduler);
  if (schedulerFlags === undefined) return bad(places.get('flags') ?? 0, 'no flag of a scheduler');
  const seconds = values.get('persistent');
  const maskText = values.get('netmask');
  const family = address.kind === 'mark' ? address.family : familyOf(address.ip);
  const mask = maskText === undefined ? undefined : canonicalMask(maskText, family);
  if (mask === false) return bad(places.get('netmask') ?? 0, 'no mask');
  const engine = values.get('engine');
  const isPersistent = seconds !== undefined || maskText !== undefined;
  return {
    address,
    scheduler,
    ...(isPersistent && {
      persistence: { seconds: seconds === undefined ? defaultSeconds : Number(seconds), ...(mask && { mask }) },
    }),
    ...(flags.has('onePacket') && { isOnePacket: true }),
    ...(engine !== undefined && { engine }),
    flags: schedulerFlags,
  };
}

/** ipvsadm's own default of `-p`. */
const defaultSeconds = 360;

function realServer({ values, flags }: IpvsOptions, address: ServiceAddress): RealServer | undefined {
  const host = readHostPort(values.get('server') ?? '');
  if (host === undefined) return undefined;
  const forward = flags.has('masquerade') ? 'masquerade' : flags.has('tunnel') ? tunnel({ values, flags }) : 'route';
  // Without a change of the address the port cannot be changed either: the service's port counts.
  const port = forward === 'masquerade' ? (host.port ?? portOf(address)) : portOf(address);
  return { ip: host.ip, port, forward, weight: Number(values.get('weight') ?? '1') };
}

function tunnel({ values, flags }: Pick<IpvsOptions, 'values' | 'flags'>): Tunnel {
  const type = values.get('tunnelType') ?? 'ipip';
  const port = values.get('tunnelPort');
  const checksum = ['nocsum', 'csum', 'remcsum'].find((name) => flags.has(name));
  return {
    kind: 'tunnel',
    type,
    ...(port !== undefined && { port: Number(port) }),
    ...(checksum !== undefined && { checksum }),
  };
}

function portOf(address: ServiceAddress): number {
  return address.kind === 'mark' ? 0 : address.port;
}

function noServer({ places }: IpvsOptions, shift: number): CommandResult {
  return bad(places.get('server') ?? shift, 'no address and port of a server; names are read by ipvsadm -n');
}

function bad(badWord: number, message: string): { badWord: number; message: string } {
  return { badWord, message };
}
