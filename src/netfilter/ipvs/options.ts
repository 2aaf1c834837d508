import type { IpvsCommand } from './ast.ts';

/** The words of an ipvsadm command, by what they mean. */
export interface IpvsOptions {
  readonly kind: IpvsCommand['kind'];
  readonly service?: 'tcp' | 'udp' | 'sctp' | 'mark';
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  /** Where the words of a value stand, from 0. */
  readonly places: ReadonlyMap<string, number>;
  /** Of `--set`. */
  readonly timeouts?: readonly number[];
}

export interface OptionProblem {
  /** Counts from 0. */
  readonly badWord: number;
  readonly message: string;
}

type Meaning =
  | { readonly command: IpvsCommand['kind'] }
  | { readonly service: 'tcp' | 'udp' | 'sctp' | 'mark' }
  | { readonly value: string; readonly isNumber?: true; readonly isOptional?: true }
  | { readonly flag: string };

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...both('-A', '--add-service', { command: 'addService' }),
  ...both('-E', '--edit-service', { command: 'editService' }),
  ...both('-D', '--delete-service', { command: 'deleteService' }),
  ...both('-C', '--clear', { command: 'clear' }),
  ...both('-a', '--add-server', { command: 'addServer' }),
  ...both('-e', '--edit-server', { command: 'editServer' }),
  ...both('-d', '--delete-server', { command: 'deleteServer' }),
  ['--set', { command: 'setTimeouts' }],
  ...both('-t', '--tcp-service', { service: 'tcp' }),
  ...both('-u', '--udp-service', { service: 'udp' }),
  ['--sctp-service', { service: 'sctp' }],
  ...both('-f', '--fwmark-service', { service: 'mark' }),
  ...both('-s', '--scheduler', { value: 'scheduler' }),
  ...both('-p', '--persistent', { value: 'persistent', isNumber: true, isOptional: true }),
  ...both('-M', '--netmask', { value: 'netmask' }),
  ['--pe', { value: 'engine' }],
  ...both('-b', '--sched-flags', { value: 'flags' }),
  ...both('-r', '--real-server', { value: 'server' }),
  ...both('-w', '--weight', { value: 'weight', isNumber: true }),
  ...both('-x', '--u-threshold', { value: 'upperThreshold', isNumber: true }),
  ...both('-y', '--l-threshold', { value: 'lowerThreshold', isNumber: true }),
  ['--tun-type', { value: 'tunnelType' }],
  ['--tun-port', { value: 'tunnelPort', isNumber: true }],
  ['--tun-nocsum', { flag: 'nocsum' }],
  ['--tun-csum', { flag: 'csum' }],
  ['--tun-remcsum', { flag: 'remcsum' }],
  ...both('-m', '--masquerading', { flag: 'masquerade' }),
  ...both('-g', '--gatewaying', { flag: 'route' }),
  ...both('-i', '--ipip', { flag: 'tunnel' }),
  ...both('-o', '--ops', { flag: 'onePacket' }),
  ...both('-6', '--ipv6', { flag: 'ipv6' }),
  ...both('-n', '--numeric', { flag: 'numeric' }),
]);

/** What `-p` alone stands for. */
const defaultSeconds = '360';

/** The largest number that ipvsadm takes for a weight or a time. */
const largest = 2 ** 31 - 1;

/** Reads the words from `start` on; options may stand in any order. */
export function readIpvsOptions(words: readonly string[], start: number): IpvsOptions | OptionProblem {
  const values = new Map<string, string>();
  const places = new Map<string, number>();
  const flags = new Set<string>();
  let kind: IpvsCommand['kind'] | undefined;
  let service: IpvsOptions['service'];
  let timeouts: readonly number[] | undefined;
  for (let at = start; at < words.length; at += 1) {
    const word = words[at] as string;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const meaning = meanings.get(equals < 0 ? word : word.slice(0, equals));
    if (meaning === undefined) return { badWord: at, message: 'no option of ipvsadm' };
    if ('flag' in meaning) {
      flags.add(meaning.flag);
      continue;
    }
    if ('command' in meaning) {
      if (kind !== undefined) return { badWord: at, message: 'a second command' };
      kind = meaning.command;
      if (kind !== 'setTimeouts') continue;
      timeouts = words.slice(at + 1, at + 4).map(Number);
      if (timeouts.length < 3 || !timeouts.every(isCount)) return { badWord: at, message: '--set takes three numbers' };
      at += 3;
      continue;
    }
    let value = equals < 0 ? words[at + 1] : word.slice(equals + 1);
    const isGiven = equals >= 0 || (value !== undefined && !value.startsWith('-'));
    if ('value' in meaning && meaning.isOptional && !isGiven) values.set(meaning.value, defaultSeconds);
    else if (value === undefined) return { badWord: at, message: 'a value is missing' };
    else {
      if (equals < 0) at += 1;
      const name = 'service' in meaning ? 'service' : meaning.value;
      if ('service' in meaning) service = meaning.service;
      else if (meaning.isNumber && !(/^\d+$/.test(value) && isCount(Number(value)))) {
        return { badWord: at, message: 'no number, or too large' };
      } else if (meaning.isNumber) value = String(Number(value));
      values.set(name, value);
      places.set(name, at);
    }
  }
  if (kind === undefined) return { badWord: start, message: 'no command of ipvsadm' };
  return { kind, values, flags, places, ...(service && { service }), ...(timeouts && { timeouts }) };
}

function isCount(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number <= largest;
}

function both(short: string, long: string, meaning: Meaning): readonly (readonly [string, Meaning])[] {
  return [
    [short, meaning],
    [long, meaning],
  ];
}
