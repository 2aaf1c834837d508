import type { NftSpelling, Selector } from './ast.ts';
import { defined } from './read/jsonValue.ts';
import { accept, type Tokens, takeNumber, takeWord } from './read/tokenizer.ts';

/** Reads `ip daddr . meta l4proto . th dport`; undefined (words as they were) if no selector begins here. */
export function readSelector(words: Tokens): Selector | undefined {
  const start = words.at;
  const first = readSingle(words);
  if (first === undefined) {
    words.at = start;
    return undefined;
  }
  if (words.words[words.at] !== '.') {
    return first;
  }
  const parts = [first];
  while (accept(words, '.')) {
    const next = readSingle(words);
    if (next === undefined) {
      words.at = start;
      return undefined;
    }
    parts.push(next);
  }
  return { kind: 'concat', parts };
}

export function writeSelector(selector: Selector, spelling: NftSpelling): string {
  switch (selector.kind) {
    case 'payload':
      return `${selector.protocol} ${selector.field}`;
    case 'meta':
      return isUnqualified(selector.key, spelling) ? selector.key : `meta ${selector.key}`;
    case 'ct':
      return selector.direction === undefined ? `ct ${selector.key}` : `ct ${selector.direction} ${selector.key}`;
    case 'rt':
    case 'socket':
      return `${selector.kind} ${selector.key}`;
    case 'tcpOption':
      return `tcp option ${selector.option}${selector.field === undefined ? '' : ` ${selector.field}`}`;
    case 'fib':
      return `fib ${selector.flags.join(' . ')} ${selector.result}`;
    case 'numgen':
      return `numgen ${selector.mode} mod ${selector.modulus}${selector.offset === undefined ? '' : ` offset ${selector.offset}`}`;
    case 'hash':
      return writeHash(selector, spelling);
    case 'concat':
      return selector.parts.map((part) => writeSelector(part, spelling)).join(' . ');
  }
}

/** Data types of what is selected, one a part; empty where no data type is known. */
export function selectorTypes(selector: Selector): readonly string[] {
  switch (selector.kind) {
    case 'payload':
      return payloadTypes(selector.protocol, selector.field);
    case 'meta':
      return metaTypes.get(selector.key) ?? [];
    case 'ct':
      return ctTypes.get(selector.key) ?? [];
    case 'numgen':
    case 'hash':
      return integer;
    case 'concat':
      return selector.parts.map((part) => selectorTypes(part)[0] ?? '');
    case 'fib':
      return selector.result === 'type' ? addressType : [];
    case 'rt':
      return selector.key === 'ip nexthop' ? ipv4 : selector.key === 'ip6 nexthop' ? ipv6 : [];
    case 'socket':
    case 'tcpOption':
      return [];
  }
}

const interfaceGroups = new Set(['iifgroup', 'oifgroup']);
const interfaceNames = new Set(['iif', 'iifname', 'oif', 'oifname']);
const payloads = new Set([
  'ip',
  'ip6',
  'tcp',
  'udp',
  'udplite',
  'sctp',
  'dccp',
  'th',
  'icmp',
  'icmpv6',
  'ether',
  'vlan',
  'arp',
]);
const integer = ['integer'];
const ipv4 = ['ipv4_addr'];
const ipv6 = ['ipv6_addr'];
const service = ['inet_service'];
const protocol = ['inet_proto'];
const dscp = ['dscp'];
const icmpType = ['icmp_type'];
const icmpv6Type = ['icmpv6_type'];
const mark = ['mark'];
const addressType = ['fib_addrtype'];
const ifname = ['ifname'];
const metaTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['l4proto', protocol],
  ['pkttype', ['pkt_type']],
  ['mark', mark],
  // An interface index is read and printed by name, so its text is a name's.
  ...[...interfaceNames].map((key) => [key, ifname] as const),
]);
const ctTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['state', ['ct_state']],
  ['status', ['ct_status']],
  ['direction', ['ct_dir']],
  ['mark', mark],
  ['ip saddr', ipv4],
  ['ip daddr', ipv4],
  ['ip6 saddr', ipv6],
  ['ip6 daddr', ipv6],
  ['proto-src', service],
  ['proto-dst', service],
  ['protocol', protocol],
]);

function payloadTypes(name: string, field: string): readonly string[] {
  if (field === 'dport' || field === 'sport') {
    return service;
  }
  if (field === 'saddr' || field === 'daddr') {
    return name === 'ip' ? ipv4 : name === 'ip6' ? ipv6 : [];
  }
  if (field === 'dscp') {
    return dscp;
  }
  if (field === 'type' && (name === 'icmp' || name === 'icmpv6')) {
    return name === 'icmp' ? icmpType : icmpv6Type;
  }
  return (name === 'ip' && field === 'protocol') || (name === 'ip6' && field === 'nexthdr') ? protocol : [];
}

/** nft prints `iif` but `meta mark`; kube-proxy writes `mark` too. */
function isUnqualified(key: string, spelling: NftSpelling): boolean {
  return interfaceNames.has(key) || interfaceGroups.has(key) || (key === 'mark' && spelling === 'transaction');
}

function readSingle(words: Tokens): Selector | undefined {
  const first = takeWord(words);
  if (first === undefined) {
    return undefined;
  }
  if (first === 'mark' || interfaceNames.has(first) || interfaceGroups.has(first)) {
    return { kind: 'meta', key: first };
  }
  if (first === 'fib') {
    return readFib(words);
  }
  if (first === 'numgen') {
    return readNumgen(words);
  }
  if (first === 'jhash' || first === 'symhash') {
    return readHash(words, first);
  }
  if (first === 'ct') {
    return readCt(words);
  }
  if (first === 'rt' || first === 'socket') {
    const named = takeWord(words);
    const rest = first === 'rt' && (named === 'ip' || named === 'ip6') ? takeWord(words) : '';
    return named === undefined || rest === undefined
      ? undefined
      : { kind: first, key: rest === '' ? named : `${named} ${rest}` };
  }
  if (first === 'tcp' && accept(words, 'option')) {
    return readTcpOption(words);
  }
  if (first !== 'meta' && !payloads.has(first)) {
    return undefined;
  }
  const key = takeWord(words);
  if (key === undefined || !/^[a-z]/.test(key)) {
    return undefined;
  }
  return first === 'meta' ? { kind: 'meta', key } : { kind: 'payload', protocol: first, field: key };
}

/** A field is a word before what it is compared with or set to. */
function readTcpOption(words: Tokens): Selector | undefined {
  const option = takeWord(words);
  const next = words.words[words.at];
  const isAlone = next === 'exists' || next === 'missing' || option === undefined;
  if (isAlone || next === undefined || !/^[a-z]+$/.test(next)) {
    return option === undefined ? undefined : { kind: 'tcpOption', option };
  }
  words.at += 1;
  return { kind: 'tcpOption', option, field: next };
}

type Hash = Extract<Selector, { kind: 'hash' }>;

function writeHash({ method, key, modulus, seed, offset }: Hash, spelling: NftSpelling): string {
  const head = key === undefined ? method : `${method} ${writeSelector(key, spelling)}`;
  const tail = `${seed === undefined ? '' : ` seed ${seed}`}${offset === undefined ? '' : ` offset ${offset}`}`;
  return `${head} mod ${modulus}${tail}`;
}

function readHash(words: Tokens, method: 'jhash' | 'symhash'): Selector | undefined {
  const key = method === 'jhash' ? readSelector(words) : undefined;
  const modulus = accept(words, 'mod') ? takeNumber(words) : undefined;
  const seed = accept(words, 'seed') ? takeWord(words) : undefined;
  const offset = accept(words, 'offset') ? takeNumber(words) : undefined;
  return modulus === undefined || (method === 'jhash' && key === undefined)
    ? undefined
    : { kind: 'hash', method, modulus, ...defined({ key, seed, offset }) };
}

function readCt(words: Tokens): Selector | undefined {
  const first = takeWord(words);
  const direction = first === 'original' || first === 'reply' ? first : undefined;
  const name = direction === undefined ? first : takeWord(words);
  const field = name === 'ip' || name === 'ip6' ? takeWord(words) : undefined;
  if (name === undefined || ((name === 'ip' || name === 'ip6') && field === undefined)) {
    return undefined;
  }
  const key = field === undefined ? name : `${name} ${field}`;
  return direction === undefined ? { kind: 'ct', key } : { kind: 'ct', key, direction };
}

function readFib(words: Tokens): Selector | undefined {
  const flags: string[] = [];
  do {
    const flag = takeWord(words);
    if (flag === undefined) {
      return undefined;
    }
    flags.push(flag);
  } while (accept(words, '.'));
  const result = takeWord(words);
  return result === undefined ? undefined : { kind: 'fib', flags, result };
}

function readNumgen(words: Tokens): Selector | undefined {
  const mode = takeWord(words);
  const modulus = accept(words, 'mod') ? takeNumber(words) : undefined;
  if (mode === undefined || modulus === undefined) {
    return undefined;
  }
  if (!accept(words, 'offset')) {
    return { kind: 'numgen', mode, modulus };
  }
  const offset = takeNumber(words);
  return offset === undefined ? undefined : { kind: 'numgen', mode, modulus, offset };
}
