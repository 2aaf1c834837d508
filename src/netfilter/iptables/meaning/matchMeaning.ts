import type { Family } from '../../../common/addresses/family.ts';
import type { Value } from '../../../common/ranges/valueRange.ts';
import { addressPattern } from '../../addressRanges.ts';
import type { Condition, ConnectionState, ConnectionStatus, Field } from '../../meaning.ts';
import type {
  ConntrackOption,
  ConntrackState,
  HeaderWord,
  Match,
  MatchOption,
  PhysdevOption,
  RecentMatch,
  TransportMatch,
} from '../ast.ts';
import { portRanges } from '../values/portRanges.ts';
import { protocolNumber } from '../values/protocols.ts';

/** What `-s`, `-d`, `-i`, `-o`, `-p` and `-f` ask. */
export function headerMeaning(word: HeaderWord, family: Family): Condition {
  switch (word.kind) {
    case 'source':
    case 'destination':
      return addressCondition(word.kind, word.address, word.negated);
    case 'inInterface':
    case 'outInterface':
      return negated(interfaceCondition(word.kind === 'inInterface' ? 'in' : 'out', word.name), word.negated);
    case 'protocol':
      return protocolCondition(word.protocol, word.negated);
    case 'fragment':
      return valuesCondition('fragmentOffset', [{ first: 1, last: 0xffff }], family === 'ipv4' && word.negated);
  }
}

export function negated(condition: Condition, isNegated: boolean | undefined): Condition {
  return isNegated ? { kind: 'not', condition } : condition;
}

function addressCondition(field: Field, text: string, isNegated: boolean | undefined): Condition {
  const patterns = text.split(',').map(addressPattern);
  const known = patterns.filter((pattern) => pattern !== undefined);
  // A name of a host: what it stands for was decided when the rule was loaded.
  if (known.length < patterns.length) return { kind: 'unknown', text: `address ${text}` };
  const conditions = known.map(
    ({ range, mask }): Condition => ({ kind: 'values', field, ...(mask !== undefined && { mask }), ranges: [range] }),
  );
  return negated(conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'any', conditions }, isNegated);
}

function portCondition(field: Field, text: string, isNegated: boolean | undefined): Condition {
  const ranges = portRanges(text);
  return ranges === undefined ? { kind: 'unknown', text: `port ${text}` } : valuesCondition(field, ranges, isNegated);
}

export function transportMeaning(match: TransportMatch): Condition {
  const conditions: Condition[] = [protocolCondition(match.protocol, false)];
  if (match.sourcePort !== undefined) {
    conditions.push(portCondition('sourcePort', match.sourcePort, match.sourcePortNegated));
  }
  if (match.destinationPort !== undefined) {
    conditions.push(portCondition('destinationPort', match.destinationPort, match.destinationPortNegated));
  }
  for (const { name, values, negated: isNegated } of match.options ?? []) {
    if (name === 'tcp-flags') {
      const [mask = '', set = ''] = values;
      conditions.push(negated(flagsCondition(mask, set), isNegated));
    } else if (name === 'syn') {
      conditions.push(negated(flagsCondition('FIN,SYN,RST,ACK', 'SYN'), isNegated));
    } else {
      conditions.push({ kind: 'unknown', text: `--${name} ${values.join(' ')}`.trim() });
    }
  }
  return all(conditions);
}

/** Bits of the flags in a TCP header. */
const tcpFlagBits: Readonly<Record<string, number>> = { FIN: 1, SYN: 2, RST: 4, PSH: 8, ACK: 16, URG: 32 };

function flagsCondition(mask: string, set: string): Condition {
  const bits = (text: string) =>
    text === 'ALL' ? 0x3f : text.split(',').reduce((sum, flag) => sum | (tcpFlagBits[flag.toUpperCase()] ?? 0), 0);
  const wanted = bits(set);
  return { kind: 'values', field: 'tcpFlags', mask: bits(mask), ranges: [{ first: wanted, last: wanted }] };
}

/** Of a packet without a connection only its state is asked; without a state to ask for, nothing holds, nor its opposite. */
export function conntrackMeaning(options: readonly ConntrackOption[]): Condition {
  const asked = (of: readonly ConntrackOption[]) =>
    of.map((option) => negated(conntrackOption(option), option.negated));
  const states = asked(options.filter(({ name }) => name === 'ctstate'));
  const others = asked(options.filter(({ name }) => name !== 'ctstate'));
  if (others.length === 0) return all(states);
  const hasNone: Condition = { kind: 'state', states: ['invalid', 'untracked'] };
  if (states.length === 0) return all([negated(hasNone, true), ...others]);
  return all([...states, { kind: 'any', conditions: [hasNone, all(others)] }]);
}

function stateCondition(states: readonly ConntrackState[]): Condition {
  const plain = states.flatMap((state): ConnectionState[] => {
    return state === 'SNAT' || state === 'DNAT' ? [] : [state.toLowerCase() as ConnectionState];
  });
  const translated = states.flatMap((state): ConnectionStatus[] => {
    return state === 'SNAT' ? ['snat'] : state === 'DNAT' ? ['dnat'] : [];
  });
  const conditions: Condition[] = [];
  if (plain.length > 0) conditions.push({ kind: 'state', states: plain });
  if (translated.length > 0) conditions.push({ kind: 'status', statuses: translated });
  return conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'any', conditions };
}

function conntrackOption(option: ConntrackOption): Condition {
  switch (option.name) {
    case 'ctstate':
      return stateCondition(option.states);
    case 'ctstatus':
      return statusCondition(option.statuses);
    case 'ctproto':
      return protocolCondition(option.protocol, false, 'connectionProtocol');
    case 'ctexpire':
      return { kind: 'unknown', text: `--ctexpire ${option.seconds}` };
    case 'ctdir':
      return { kind: 'direction', direction: option.direction === 'REPLY' ? 'reply' : 'original' };
    case 'ctorigsrc':
    case 'ctorigdst':
    case 'ctreplsrc':
    case 'ctrepldst':
      return addressCondition(connectionFields[option.name], option.address, false);
    default:
      return portCondition(connectionFields[option.name], option.ports, false);
  }
}

const connectionFields = {
  ctorigsrc: 'originalSource',
  ctorigdst: 'originalDestination',
  ctreplsrc: 'replySource',
  ctrepldst: 'replyDestination',
  ctorigsrcport: 'originalSourcePort',
  ctorigdstport: 'originalDestinationPort',
  ctreplsrcport: 'replySourcePort',
  ctrepldstport: 'replyDestinationPort',
} as const;

function statusCondition(statuses: Extract<ConntrackOption, { name: 'ctstatus' }>['statuses']): Condition {
  const known = statuses.flatMap((status): ConnectionStatus[] =>
    status === 'NONE' ? [] : [status.toLowerCase().replace('_', '-') as ConnectionStatus],
  );
  // NONE is no bit: alone it never holds, whatever the connection.
  return known.length === 0 ? { kind: 'never' } : { kind: 'status', statuses: known };
}

export function physdevMeaning(options: readonly PhysdevOption[]): Condition {
  return all(
    options.map((option): Condition => {
      switch (option.name) {
        case 'physdev-is-in':
          return negated({ kind: 'hasPort', side: 'physin' }, option.negated);
        case 'physdev-is-out':
          return negated({ kind: 'hasPort', side: 'physout' }, option.negated);
        case 'physdev-is-bridged':
          return negated({ kind: 'bridged' }, option.negated);
        case 'physdev-in':
          return negated(interfaceCondition('physin', option.port), option.negated);
        default:
          return negated(interfaceCondition('physout', option.port), option.negated);
      }
    }),
  );
}

export function statisticMeaning(match: Extract<Match, { kind: 'statistic' }>): Condition {
  if (match.mode === 'nth') {
    return negated({ kind: 'inTurn', every: match.every, packet: match.packet }, match.negated);
  }
  const probability = Number(match.probability);
  if (match.probability === '' || !(probability >= 0 && probability <= 1)) {
    return { kind: 'unknown', text: `--probability ${match.probability}` };
  }
  const whole = 2 ** 31;
  return negated({ kind: 'chance', share: Math.floor(probability * whole + 0.5), whole }, match.negated);
}

export function recentMeaning(match: RecentMatch): Condition {
  const mask = match.mask === undefined ? undefined : addressPattern(match.mask)?.range.first;
  const { action, name, seconds, hitcount } = match;
  return negated(
    {
      kind: 'recent',
      list: name,
      side: match.side === 'rdest' ? 'destination' : 'source',
      action,
      ...(seconds !== undefined && { seconds }),
      ...(hitcount !== undefined && { hitcount }),
      ...(mask !== undefined && !isAllBits(mask) && { mask }),
    },
    match.negated,
  );
}

export function setMeaning(match: Extract<Match, { kind: 'set' }>): Condition {
  const unknown = match.options?.filter(({ name }) => /^(?:packets|bytes)-/.test(name)) ?? [];
  if (unknown.length > 0) return { kind: 'unknown', text: `counters of the set ${match.set}` };
  const returnsNomatch = match.options?.some(({ name, negated: not }) => name === 'return-nomatch' && !not);
  return negated(
    { kind: 'ipset', set: match.set, sides: match.sides, ...(returnsNomatch && { returnsNomatch }) },
    match.negated,
  );
}

export function markMeaning(field: 'mark' | 'connectionMark', value: number, mask: number): Condition {
  // The kernel masks only the packet's side: a value with bits beyond the mask never matches.
  return { kind: 'values', field, mask, ranges: [{ first: value, last: value }] };
}

/** Whose packet it is to IPVS; what virtual service it belongs to is known once IPVS chose a server. */
export function ipvsMeaning(options: readonly MatchOption[]): Condition {
  const conditions = options.map(({ name, values, negated: not }): Condition => {
    const value = values[0] ?? '';
    switch (name) {
      case 'ipvs':
        return { kind: 'ipvs', isOf: not !== true };
      case 'vproto':
        return all([{ kind: 'ipvs', isOf: true }, protocolCondition(value, not)]);
      case 'vaddr':
        return all([{ kind: 'ipvs', isOf: true }, addressCondition('originalDestination', value, not)]);
      case 'vport':
        return all([{ kind: 'ipvs', isOf: true }, portCondition('originalDestinationPort', value, not)]);
      case 'vdir':
        return negated({ kind: 'direction', direction: value === 'REPLY' ? 'reply' : 'original' }, not);
      default:
        return { kind: 'unknown', text: `-m ipvs --${name} ${value}` };
    }
  });
  return all(conditions);
}

function protocolCondition(
  text: string,
  isNegated: boolean | undefined,
  field: 'protocol' | 'connectionProtocol' = 'protocol',
): Condition {
  const number = Number(protocolNumber(text));
  if (Number.isNaN(number)) return { kind: 'unknown', text: `protocol ${text}` };
  // 0 is any protocol.
  if (number === 0) return { kind: isNegated ? 'never' : 'always' };
  return valuesCondition(field, [{ first: number, last: number }], isNegated);
}

/** `eth0`, `veth+`. */
function interfaceCondition(side: 'in' | 'out' | 'physin' | 'physout', text: string): Condition {
  const isPrefix = text.endsWith('+');
  return { kind: 'interface', side, names: [{ text: isPrefix ? text.slice(0, -1) : text, isPrefix }] };
}

function valuesCondition(
  field: Field,
  ranges: readonly { readonly first: Value; readonly last: Value }[],
  isOutside: boolean | undefined,
): Condition {
  return isOutside ? { kind: 'values', field, ranges, isOutside } : { kind: 'values', field, ranges };
}

export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'all', conditions };
}

function isAllBits(mask: Value): boolean {
  return mask === 0xffffffff || mask === (1n << 128n) - 1n;
}
