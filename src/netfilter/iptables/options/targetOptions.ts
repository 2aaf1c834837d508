import type { MatchOption } from '../ast.ts';
import { canonicalNatAddress, hostAddress } from '../values/addresses.ts';
import { asXmark } from '../values/asXmark.ts';
import { hexMark, readMark } from '../values/marks.ts';
import { dscpClass } from '../values/matchValues.ts';
import { grammarOf, hasOption, type OptionGrammar } from './optionGrammar.ts';
import { decimal, hexNumber, markAndMask, masked, named, natPortRange, unless, value } from './optionValues.ts';

/**
 * The grammar of every target with options: options in the order in which iptables-save 1.8.9 prints them, with what it
 * makes of their values. A name that is not here is a chain, or a target that is kept as it was written.
 */
export function targetGrammar(name: string): OptionGrammar | undefined {
  return grammars.get(name);
}

const flag = { words: 0 } as const;
const text = { style: 'text' } as const;

const logLevel = named({
  emerg: '0',
  panic: '0',
  alert: '1',
  crit: '2',
  error: '3',
  err: '3',
  warning: '4',
  warn: '4',
  notice: '5',
  info: '6',
  debug: '7',
});

const grammars: ReadonlyMap<string, OptionGrammar> = new Map([
  ['REJECT', grammarOf([{ name: 'reject-with' }])],
  [
    'MARK',
    grammarOf([
      { name: 'set-mark' },
      { name: 'or-mark' },
      { name: 'and-mark' },
      { name: 'xor-mark' },
      { name: 'set-xmark' },
    ]),
  ],
  [
    'CONNMARK',
    grammarOf(
      [
        { name: 'set-xmark', canonical: value(markAndMask) },
        { name: 'set-mark' },
        { name: 'or-mark' },
        { name: 'and-mark' },
        { name: 'xor-mark' },
        { name: 'save-mark', ...flag },
        { name: 'restore-mark', ...flag },
        { name: 'nfmask', canonical: value(hexNumber(1)) },
        { name: 'ctmask', canonical: value(hexNumber(1)) },
        { name: 'mask', canonical: value(hexNumber(1)) },
      ],
      (options) => connmarkMasks(options.map(connmarkSetting)),
    ),
  ],
  [
    'MASQUERADE',
    grammarOf([
      { name: 'to-ports', canonical: value(natPortRange) },
      { name: 'random', ...flag },
      { name: 'random-fully', ...flag },
    ]),
  ],
  [
    'DNAT',
    grammarOf([
      { name: 'to-destination', canonical: value(canonicalNatAddress) },
      { name: 'random', ...flag },
      { name: 'persistent', ...flag },
    ]),
  ],
  [
    'SNAT',
    grammarOf([
      { name: 'to-source', canonical: value(canonicalNatAddress) },
      { name: 'random', ...flag },
      { name: 'random-fully', ...flag },
      { name: 'persistent', ...flag },
    ]),
  ],
  [
    'REDIRECT',
    grammarOf([
      { name: 'to-ports', canonical: value(natPortRange) },
      { name: 'random', ...flag },
    ]),
  ],
  ['NETMAP', grammarOf([{ name: 'to', canonical: value(hostAddress) }])],
  [
    'LOG',
    grammarOf([
      { name: 'log-prefix', ...text },
      { name: 'log-level', canonical: unless('4', logLevel) },
      { name: 'log-tcp-sequence', ...flag },
      { name: 'log-tcp-options', ...flag },
      { name: 'log-ip-options', ...flag },
      { name: 'log-uid', ...flag },
      { name: 'log-macdecode', ...flag },
    ]),
  ],
  [
    'NFLOG',
    grammarOf([
      { name: 'nflog-prefix', ...text },
      { name: 'nflog-group', canonical: unless('0', decimal) },
      { name: 'nflog-range' },
      { name: 'nflog-size' },
      { name: 'nflog-threshold' },
    ]),
  ],
  ['ULOG', grammarOf([{ name: 'ulog-prefix', ...text }, { name: 'ulog-nlgroup' }])],
  [
    'NFQUEUE',
    grammarOf(
      [
        { name: 'queue-num' },
        { name: 'queue-balance' },
        { name: 'queue-bypass', ...flag },
        { name: 'queue-cpu-fanout', ...flag },
      ],
      (options) =>
        hasOption(options, 'queue-num') || hasOption(options, 'queue-balance')
          ? options
          : [...options, { name: 'queue-num', values: ['0'] }],
    ),
  ],
  [
    'TPROXY',
    grammarOf(
      [
        { name: 'on-port' },
        { name: 'on-ip', canonical: value(hostAddress) },
        { name: 'tproxy-mark', canonical: value(markAndMask) },
      ],
      (options, family) => [
        ...options,
        ...(hasOption(options, 'on-ip') ? [] : [{ name: 'on-ip', values: [family === 'ipv4' ? '0.0.0.0' : '::'] }]),
        ...(hasOption(options, 'tproxy-mark') ? [] : [{ name: 'tproxy-mark', values: ['0x0/0x0'] }]),
      ],
    ),
  ],
  ['NOTRACK', grammarOf([])],
  ['TRACE', grammarOf([])],
  [
    'CT',
    grammarOf([
      { name: 'notrack', ...flag },
      { name: 'helper' },
      { name: 'timeout' },
      { name: 'ctevents' },
      { name: 'expevents' },
      { name: 'zone-orig', canonical: value(decimal) },
      { name: 'zone-reply', canonical: value(decimal) },
      { name: 'zone', canonical: value(decimal) },
    ]),
  ],
  ['TCPMSS', grammarOf([{ name: 'clamp-mss-to-pmtu', ...flag }, { name: 'set-mss' }])],
  ['CLASSIFY', grammarOf([{ name: 'set-class', canonical: value(trafficClass) }])],
  [
    'DSCP',
    grammarOf(
      [
        { name: 'set-dscp', canonical: value(hexNumber(2)) },
        { name: 'set-dscp-class', canonical: value(dscpClass) },
      ],
      (options) =>
        options.map((option) => (option.name === 'set-dscp-class' ? { ...option, name: 'set-dscp' } : option)),
    ),
  ],
  [
    'TOS',
    grammarOf(
      [
        { name: 'set-tos', canonical: value(masked(0xff, false, 2)) },
        { name: 'or-tos' },
        { name: 'and-tos' },
        { name: 'xor-tos' },
      ],
      (options) => options.map(tosSetting),
    ),
  ],
  ['TTL', grammarOf([{ name: 'ttl-set' }, { name: 'ttl-inc' }, { name: 'ttl-dec' }])],
  ['HL', grammarOf([{ name: 'hl-set' }, { name: 'hl-inc' }, { name: 'hl-dec' }])],
  ['CHECKSUM', grammarOf([{ name: 'checksum-fill', ...flag }])],
  ['TEE', grammarOf([{ name: 'gateway', canonical: value(hostAddress) }, { name: 'oif' }])],
  ['AUDIT', grammarOf([{ name: 'type' }])],
  [
    'SET',
    grammarOf([
      { name: 'add-set', words: 2 },
      { name: 'del-set', words: 2 },
      { name: 'map-set', words: 2 },
      { name: 'exist', ...flag },
      { name: 'timeout' },
      { name: 'map-mark', ...flag },
      { name: 'map-prio', ...flag },
      { name: 'map-queue', ...flag },
    ]),
  ],
  ['TCPOPTSTRIP', grammarOf([{ name: 'strip-options', canonical: value(tcpOptions) }])],
  [
    'SYNPROXY',
    grammarOf([
      { name: 'sack-perm', ...flag },
      { name: 'timestamp', ...flag },
      { name: 'wscale' },
      { name: 'mss' },
      { name: 'ecn', ...flag },
    ]),
  ],
]);

/** CONNMARK keeps `(mark & ~mask) ^ value`, as MARK does. */
function connmarkSetting(option: MatchOption): MatchOption {
  const operation = option.name.endsWith('-mark') ? option.name.slice(0, -5) : '';
  if (operation !== 'set' && operation !== 'or' && operation !== 'and' && operation !== 'xor') {
    return option;
  }
  const [valueText = '', maskText] = (option.values[0] ?? '').split('/');
  const mark = readMark(valueText);
  const mask = maskText === undefined ? undefined : readMark(maskText);
  if (mark === undefined || (maskText !== undefined && mask === undefined)) {
    return option;
  }
  const { value: bits, mask: changed } = asXmark(operation, mark, mask);
  return { name: 'set-xmark', values: [`${hexMark(bits)}/${hexMark(changed)}`] };
}

function connmarkMasks(options: readonly MatchOption[]): readonly MatchOption[] {
  if (!hasOption(options, 'save-mark') && !hasOption(options, 'restore-mark')) {
    return options;
  }
  const shared = options.find((option) => option.name === 'mask')?.values ?? ['0xffffffff'];
  return [
    ...options.filter((option) => option.name !== 'mask'),
    ...(['nfmask', 'ctmask'] as const)
      .filter((name) => !hasOption(options, name))
      .map((name) => ({ name, values: shared })),
  ];
}

function tosSetting(option: MatchOption): MatchOption {
  const bits = readMark(option.values[0] ?? '');
  if (bits === undefined || bits > 0xff || option.name === 'set-tos') {
    return option;
  }
  const { value: set, mask } = asXmark(
    option.name === 'or-tos' ? 'or' : option.name === 'and-tos' ? 'and' : 'xor',
    bits,
    undefined,
  );
  return { name: 'set-tos', values: [`${twoDigits(set)}/${twoDigits(mask & 0xff)}`] };
}

function twoDigits(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

/** Major and minor number, both hexadecimal with or without `0x`. */
function trafficClass(pair: string): string {
  const parts = /^(?:0x)?([0-9a-f]{1,4}):(?:0x)?([0-9a-f]{1,4})$/i.exec(pair);
  return parts
    ? `${(parts[1] ?? '').toLowerCase().padStart(4, '0')}:${(parts[2] ?? '').toLowerCase().padStart(4, '0')}`
    : pair;
}

const tcpOption = named({
  wscale: '3',
  mss: '2',
  'sack-permitted': '4',
  sack: '5',
  timestamp: '8',
  md5: '19',
});

function tcpOptions(list: string): string {
  return list
    .split(',')
    .map(tcpOption)
    .sort((one, other) => Number(one) - Number(other))
    .join(',');
}
