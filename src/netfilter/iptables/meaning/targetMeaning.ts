import type { Family } from '../../../common/addresses/family.ts';
import { addressPattern } from '../../addressRanges.ts';
import type { NatStep, PacketVerdict, Rejection, Step, Zone } from '../../meaning.ts';
import { natPorts, natTarget } from '../../natTarget.ts';
import type { MatchOption, SetSide, Target } from '../ast.ts';
import { asXmark } from '../values/asXmark.ts';
import { readMark } from '../values/marks.ts';
import { canonicalRejection } from '../values/rejections.ts';

type TargetOf<K extends Target['kind']> = Extract<Target, { kind: K }>;

export function jumpMeaning({ chain, isGoto }: TargetOf<'jump'>): Step {
  const verdict = isGoto ? undefined : verdicts.get(chain);
  return verdict === undefined ? { kind: isGoto ? 'goto' : 'jump', chain } : { kind: 'verdict', verdict };
}

const verdicts: ReadonlyMap<string, PacketVerdict> = new Map([
  ['ACCEPT', 'accept'],
  ['DROP', 'drop'],
  ['RETURN', 'return'],
  ['QUEUE', 'queue'],
]);

export function rejectMeaning(target: TargetOf<'reject'>, family: Family): Step {
  const answer = canonicalRejection(target.with, family);
  if (answer === 'tcp-reset') return { kind: 'reject', rejection: { kind: 'reset' } };
  const rejection = rejections.get(answer);
  return rejection === undefined ? { kind: 'unknown', text: `REJECT ${answer}` } : { kind: 'reject', rejection };
}

function icmp(type: number, code: number): Rejection {
  return { kind: 'icmp', v4: [type, code], v6: [type, code] };
}

const rejections: ReadonlyMap<string, Rejection> = new Map([
  ['icmp-net-unreachable', icmp(3, 0)],
  ['icmp-host-unreachable', icmp(3, 1)],
  ['icmp-proto-unreachable', icmp(3, 2)],
  ['icmp-port-unreachable', icmp(3, 3)],
  ['icmp-net-prohibited', icmp(3, 9)],
  ['icmp-host-prohibited', icmp(3, 10)],
  ['icmp-admin-prohibited', icmp(3, 13)],
  ['icmp6-no-route', icmp(1, 0)],
  ['icmp6-adm-prohibited', icmp(1, 1)],
  ['icmp6-addr-unreachable', icmp(1, 3)],
  ['icmp6-port-unreachable', icmp(1, 4)],
  ['icmp6-policy-fail', icmp(1, 5)],
  ['icmp6-reject-route', icmp(1, 6)],
]);

export function markTargetMeaning({ operation, value, mask }: TargetOf<'mark'>): Step {
  const set = asXmark(operation, value, mask);
  return { kind: 'assign', target: 'mark', keep: ~set.mask >>> 0, take: 0, flip: set.value };
}

export function masqueradeMeaning({ isRandomFully, options }: TargetOf<'masquerade'>): Step {
  const ports = natPorts(optionValue(options, 'to-ports'));
  return {
    kind: 'nat',
    half: 'source',
    to: 'masquerade',
    target: ports === undefined ? {} : { ports },
    isRandom: isRandomFully === true || hasFlag(options, 'random'),
  };
}

export function natMeaning(
  half: 'source' | 'destination',
  to: string,
  options: readonly MatchOption[] | undefined,
): Step {
  const target = natTarget(to);
  if (target === undefined) return { kind: 'unknown', text: `${half === 'source' ? 'SNAT' : 'DNAT'} to ${to}` };
  const isRandom = hasFlag(options, 'random') || hasFlag(options, 'random-fully');
  return { kind: 'nat', half, to: 'address', target, isRandom };
}

/** What a target does that is kept as its options. */
export function otherTargetMeaning({ name, options }: TargetOf<'other'>): Step {
  switch (name) {
    case 'REDIRECT': {
      const ports = natPorts(optionValue(options, 'to-ports'));
      const isRandom = hasFlag(options, 'random');
      return { kind: 'nat', half: 'destination', to: 'redirect', target: ports ? { ports } : {}, isRandom };
    }
    case 'NETMAP': {
      const addresses = addressPattern(optionValue(options, 'to') ?? '')?.range;
      const half: NatStep['half'] = 'destination';
      return addresses === undefined
        ? { kind: 'unknown', text: 'NETMAP' }
        : { kind: 'nat', half, to: 'netmap', target: { addresses }, isRandom: false };
    }
    case 'CONNMARK':
      return connmarkMeaning(options);
    case 'NOTRACK':
      return { kind: 'notrack' };
    case 'CT':
      return hasFlag(options, 'notrack') ? { kind: 'notrack' } : zoneMeaning(options);
    case 'SET':
      return setTargetMeaning(options);
    case 'TTL':
    case 'HL':
    case 'DSCP':
    case 'TOS':
      return headerMeaning(name, options);
    case 'TPROXY':
    case 'SYNPROXY':
      return { kind: 'unknown', text: name };
    case 'NFQUEUE':
      return { kind: 'verdict', verdict: 'queue' };
    default:
      return harmless.has(name) ? { kind: 'note', text: name } : { kind: 'unknown', text: name };
  }
}

/** Targets after which the next rule follows, and that change nothing which a rule asks for. */
const harmless: ReadonlySet<string> = new Set([
  'LOG',
  'NFLOG',
  'ULOG',
  'AUDIT',
  'TRACE',
  'TCPMSS',
  'TCPOPTSTRIP',
  'CHECKSUM',
  'CLASSIFY',
  'ECN',
  'TEE',
  'LED',
  'RATEEST',
  'IDLETIMER',
  'SECMARK',
  'CONNSECMARK',
]);

/** A name of a class, a change of single bits or of the number that was there: nobody tells what comes out. */
function headerMeaning(name: 'TTL' | 'HL' | 'DSCP' | 'TOS', options: readonly MatchOption[]): Step {
  const field = name === 'TTL' || name === 'HL' ? 'hopLimit' : 'dscp';
  const written = options.find((option) => ['ttl-set', 'hl-set', 'set-dscp'].includes(option.name))?.values[0];
  return { kind: 'setHeader', field, value: readMark(written ?? '') ?? 'unknown' };
}

function connmarkMeaning(options: readonly MatchOption[]): Step {
  const has = (name: string) => options.some((option) => option.name === name);
  const bits = (name: string) =>
    readMark(optionValue(options, name) ?? optionValue(options, 'mask') ?? '') ?? 0xffffffff;
  const [nfmask, ctmask] = [bits('nfmask'), bits('ctmask')];
  if (has('save-mark')) {
    return { kind: 'assign', target: 'connectionMark', keep: ~ctmask >>> 0, source: 'mark', take: nfmask, flip: 0 };
  }
  if (has('restore-mark')) {
    return { kind: 'assign', target: 'mark', keep: ~nfmask >>> 0, source: 'connectionMark', take: ctmask, flip: 0 };
  }
  for (const operation of ['set-xmark', 'set', 'or', 'and', 'xor'] as const) {
    const written = optionValue(options, operation === 'set-xmark' ? operation : `${operation}-mark`);
    if (written === undefined) continue;
    const [value, mask] = written.split('/').map(readMark);
    if (value === undefined) break;
    const set = asXmark(operation, value, mask);
    return { kind: 'assign', target: 'connectionMark', keep: ~set.mask >>> 0, take: 0, flip: set.value };
  }
  return { kind: 'unknown', text: 'CONNMARK' };
}

/** CT says where to look, also where it only names a helper: what comes after it has no say any more. */
function zoneMeaning(options: readonly MatchOption[]): Step {
  const zoneOf = (name: string): Zone | undefined => {
    const written = optionValue(options, name) ?? optionValue(options, 'zone');
    return written === undefined ? 0 : written === 'mark' ? 'mark' : readMark(written);
  };
  const [original, reply] = [zoneOf('zone-orig'), zoneOf('zone-reply')];
  return original === undefined || reply === undefined
    ? { kind: 'unknown', text: 'CT --zone' }
    : { kind: 'zone', original, reply };
}

function setTargetMeaning(options: readonly MatchOption[]): Step {
  const option = options.find(({ name }) => name === 'add-set' || name === 'del-set');
  const [set = '', sides = ''] = option?.values ?? [];
  if (option === undefined) return { kind: 'unknown', text: 'SET' };
  const operation = option.name === 'add-set' ? 'add' : 'delete';
  return { kind: 'rememberIpset', operation, set, sides: sides.split(',') as SetSide[] };
}

function optionValue(options: readonly MatchOption[] | undefined, name: string): string | undefined {
  return options?.find((option) => option.name === name)?.values[0];
}

function hasFlag(options: readonly MatchOption[] | undefined, name: string): boolean {
  return options?.some((option) => option.name === name) === true;
}
