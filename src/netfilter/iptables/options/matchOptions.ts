import { canonicalAddressRange, hostAddress } from '../values/addresses.ts';
import { icmpType, icmpv6Type } from '../values/icmpTypes.ts';
import {
  dscpClass,
  headerNames,
  hexString,
  openRange,
  timeOfDay,
  tosValue,
  u32Expression,
  user,
} from '../values/matchValues.ts';
import { protocolNumber } from '../values/protocols.ts';
import { grammarOf, hasOption, type OptionGrammar } from './optionGrammar.ts';
import { bits, hexNumber, lowerCase, mark, named, portList, portRange, range, unless, value } from './optionValues.ts';
import { rateOptions } from './rateOptions.ts';
import { transportOptions } from './transportOptions.ts';
import { addressTypeNames } from './typedOptions.ts';

/**
 * The grammar of every match whose options are kept as a list: options in the order in which iptables-save 1.8.9 prints
 * them, with what it makes of their values. A match that is not here is kept and printed back as it was written.
 */
export function matchGrammar(name: string): OptionGrammar | undefined {
  return grammars.get(name);
}

const flag = { words: 0 } as const;
const text = { style: 'text' } as const;
const addressTypeBits = bits(...addressTypeNames);
const grammars: ReadonlyMap<string, OptionGrammar> = new Map([
  ['comment', grammarOf([{ name: 'comment', ...text }])],
  ...transportOptions,
  [
    'conntrack',
    grammarOf([
      {
        name: 'ctstate',
        canonical: value(bits('INVALID', 'NEW', 'RELATED', 'ESTABLISHED', 'UNTRACKED', 'SNAT', 'DNAT')),
      },
      { name: 'ctproto', canonical: value(protocolNumber) },
      { name: 'ctorigsrc', canonical: value(hostAddress) },
      { name: 'ctorigdst', canonical: value(hostAddress) },
      { name: 'ctreplsrc', canonical: value(hostAddress) },
      { name: 'ctrepldst', canonical: value(hostAddress) },
      { name: 'ctorigsrcport', canonical: value(portRange) },
      { name: 'ctorigdstport', canonical: value(portRange) },
      { name: 'ctreplsrcport', canonical: value(portRange) },
      { name: 'ctrepldstport', canonical: value(portRange) },
      { name: 'ctstatus', canonical: value(bits('NONE', 'EXPECTED', 'SEEN_REPLY', 'ASSURED', 'CONFIRMED')) },
      { name: 'ctexpire', canonical: value(range(':')) },
      { name: 'ctdir', canonical: value((direction) => direction.toUpperCase()) },
    ]),
  ],
  [
    'state',
    grammarOf([{ name: 'state', canonical: value(bits('INVALID', 'NEW', 'RELATED', 'ESTABLISHED', 'UNTRACKED')) }]),
  ],
  ['mark', grammarOf([{ name: 'mark', canonical: value(mark) }])],
  ['connmark', grammarOf([{ name: 'mark', canonical: value(mark) }])],
  [
    'addrtype',
    grammarOf([
      { name: 'src-type', canonical: value(addressTypeBits) },
      { name: 'dst-type', canonical: value(addressTypeBits) },
      { name: 'limit-iface-in', ...flag },
      { name: 'limit-iface-out', ...flag },
    ]),
  ],
  ['statistic', grammarOf([{ name: 'mode' }, { name: 'probability' }, { name: 'every' }, { name: 'packet' }])],
  [
    'recent',
    grammarOf([
      { name: 'set', ...flag },
      { name: 'rcheck', ...flag },
      { name: 'update', ...flag },
      { name: 'remove', ...flag },
      { name: 'seconds' },
      { name: 'reap', ...flag },
      { name: 'hitcount' },
      { name: 'rttl', ...flag },
      { name: 'name' },
      { name: 'mask' },
      { name: 'rsource', ...flag },
      { name: 'rdest', ...flag },
    ]),
  ],
  [
    'physdev',
    grammarOf([
      { name: 'physdev-is-in', ...flag },
      { name: 'physdev-in' },
      { name: 'physdev-is-out', ...flag },
      { name: 'physdev-out' },
      { name: 'physdev-is-bridged', ...flag },
    ]),
  ],
  [
    'set',
    grammarOf([
      { name: 'match-set', words: 2 },
      { name: 'return-nomatch', ...flag },
      { name: 'update-counters', ...flag },
      { name: 'update-subcounters', ...flag },
      { name: 'packets-eq' },
      { name: 'packets-lt' },
      { name: 'packets-gt' },
      { name: 'bytes-eq' },
      { name: 'bytes-lt' },
      { name: 'bytes-gt' },
    ]),
  ],
  [
    'ipvs',
    grammarOf(
      [
        { name: 'ipvs', ...flag },
        { name: 'vproto', canonical: value(protocolNumber) },
        { name: 'vaddr', canonical: value(hostAddress) },
        { name: 'vport', canonical: value(portRange) },
        { name: 'vdir', canonical: value((direction) => direction.toUpperCase()) },
        { name: 'vmethod', canonical: value((method) => method.toUpperCase()) },
        { name: 'vportctl', canonical: value(portRange) },
      ],
      // Any of the others implies it.
      (options) =>
        options.length > 1 ? options.filter((option) => option.name !== 'ipvs' || option.negated === true) : options,
    ),
  ],
  ['nfacct', grammarOf([{ name: 'nfacct-name' }])],
  [
    'multiport',
    grammarOf([
      { name: 'sports', aliases: ['source-ports'], canonical: value(portList) },
      { name: 'dports', aliases: ['destination-ports'], canonical: value(portList) },
      { name: 'ports', canonical: value(portList) },
    ]),
  ],
  ...rateOptions,
  ['icmp', grammarOf([{ name: 'icmp-type', canonical: value(icmpType) }])],
  ['icmp6', grammarOf([{ name: 'icmpv6-type', aliases: ['icmp6-type'], canonical: value(icmpv6Type) }])],
  ['mac', grammarOf([{ name: 'mac-source', canonical: value(lowerCase) }])],
  [
    'owner',
    grammarOf([
      { name: 'socket-exists', ...flag },
      { name: 'uid-owner', canonical: value(user) },
      { name: 'gid-owner', canonical: value(user) },
      { name: 'suppl-groups', ...flag },
    ]),
  ],
  [
    'string',
    grammarOf([
      { name: 'string', style: 'quoted' },
      { name: 'hex-string', style: 'quoted', canonical: value(hexString) },
      { name: 'algo' },
      { name: 'from', canonical: unless('0') },
      // Up to 1.8.7 the default was printed.
      { name: 'to', canonical: unless('65535') },
      { name: 'icase', ...flag },
    ]),
  ],
  [
    'dscp',
    grammarOf(
      [
        { name: 'dscp', canonical: value(hexNumber(2)) },
        { name: 'dscp-class', canonical: value(dscpClass) },
      ],
      (options) => options.map((option) => (option.name === 'dscp-class' ? { ...option, name: 'dscp' } : option)),
    ),
  ],
  ['tos', grammarOf([{ name: 'tos', canonical: value(tosValue) }])],
  [
    'pkttype',
    grammarOf([
      {
        name: 'pkt-type',
        canonical: value((type) =>
          named({ bcast: 'broadcast', mcast: 'multicast', host: 'unicast' })(type.toLowerCase()),
        ),
      },
    ]),
  ],
  [
    'iprange',
    grammarOf([
      { name: 'src-range', canonical: value(canonicalAddressRange) },
      { name: 'dst-range', canonical: value(canonicalAddressRange) },
    ]),
  ],
  ['length', grammarOf([{ name: 'length', canonical: value(openRange) }])],
  ['tcpmss', grammarOf([{ name: 'mss', canonical: value(range(':')) }])],
  ['u32', grammarOf([{ name: 'u32', style: 'quoted', canonical: value(u32Expression) }])],
  [
    'time',
    grammarOf(
      [
        { name: 'timestart', canonical: value(timeOfDay) },
        { name: 'timestop', canonical: value(timeOfDay) },
        { name: 'monthdays' },
        { name: 'weekdays' },
        { name: 'datestart' },
        { name: 'datestop' },
        { name: 'kerneltz', ...flag },
        { name: 'contiguous', ...flag },
        { name: 'localtz', ...flag },
        { name: 'utc', ...flag },
      ],
      (options) =>
        hasOption(options, 'datestop') ? options : [...options, { name: 'datestop', values: ['2038-01-19T03:14:07'] }],
    ),
  ],
  ['ttl', grammarOf([{ name: 'ttl-eq', aliases: ['ttl'] }, { name: 'ttl-lt' }, { name: 'ttl-gt' }])],
  ['hl', grammarOf([{ name: 'hl-eq', aliases: ['hl'] }, { name: 'hl-lt' }, { name: 'hl-gt' }])],
  [
    'rpfilter',
    grammarOf([
      { name: 'loose', ...flag },
      { name: 'validmark', ...flag },
      { name: 'accept-local', ...flag },
      { name: 'invert', ...flag },
    ]),
  ],
  [
    'socket',
    grammarOf([
      { name: 'transparent', ...flag },
      { name: 'nowildcard', ...flag },
      { name: 'restore-skmark', ...flag },
    ]),
  ],
  [
    'ipv6header',
    grammarOf([
      { name: 'header', canonical: value(headerNames) },
      { name: 'soft', ...flag },
    ]),
  ],
  ['cgroup', grammarOf([{ name: 'path', ...text }, { name: 'cgroup' }])],
  ['bpf', grammarOf([{ name: 'bytecode', style: 'quoted' }, { name: 'object-pinned' }])],
  [
    'connbytes',
    grammarOf([
      { name: 'connbytes', canonical: value((bytes) => (bytes.endsWith(':') ? bytes.slice(0, -1) : bytes)) },
      { name: 'connbytes-mode' },
      { name: 'connbytes-dir' },
    ]),
  ],
  [
    'devgroup',
    grammarOf([
      { name: 'src-group', canonical: value(mark) },
      { name: 'dst-group', canonical: value(mark) },
    ]),
  ],
  ['helper', grammarOf([{ name: 'helper', ...text }])],
  ['realm', grammarOf([{ name: 'realm', canonical: value(mark) }])],
  [
    'connlabel',
    grammarOf([
      { name: 'label', style: 'quoted' },
      { name: 'set', ...flag },
    ]),
  ],
  ['quota', grammarOf([{ name: 'quota' }])],
  ['cpu', grammarOf([{ name: 'cpu' }])],
  ['esp', grammarOf([{ name: 'espspi', canonical: value(range(':')) }])],
  ['ah', grammarOf([{ name: 'ahspi', canonical: value(range(':')) }, { name: 'ahlen' }, { name: 'ahres', ...flag }])],
  ['ecn', grammarOf([{ name: 'ecn-tcp-cwr', ...flag }, { name: 'ecn-tcp-ece', ...flag }, { name: 'ecn-ip-ect' }])],
]);
