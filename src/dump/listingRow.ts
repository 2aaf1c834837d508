import { isOneWord } from '../netfilter/iptables/quote.ts';

/** Takes the lines of `iptables -L -n [-v] [--line-numbers]` one by one; undefined: not a line of a listing. */
export type ListingReader = (line: string) => string | undefined;

/**
 * Translates rows of `iptables -L -n -v` to rules. The listing hides things (without -v interfaces, always some options
 * of matches), so that what is made from it can only be compared loosely. A row that cannot be read stays as it is, and
 * the parser reports it.
 */
export function listingReader(): ListingReader {
  let chain: string | undefined;
  let columns: readonly string[] = [];
  return (line) => {
    const head = /^Chain (\S+) \((?:policy ([A-Z]+)|(\d+) references)/.exec(line);
    if (head !== null) {
      chain = head[1] as string;
      columns = [];
      if (!isOneWord(chain)) return undefined;
      return head[2] === undefined ? `-N ${chain}` : `-P ${chain} ${head[2]}`;
    }
    if (/^(?:num\s+)?(?:pkts\s+bytes\s+)?target\s+prot\s+opt\s/.test(line)) {
      columns = line.split(/\s+/).filter((word) => word !== '');
      return '';
    }
    if (chain === undefined || columns.length === 0) return undefined;
    return row(line, chain, columns);
  };
}

function row(line: string, chain: string, columns: readonly string[]): string | undefined {
  const words = line.split(/\s+/);
  // A rule without target leaves its column blank: protocol and options then stand one place further left.
  const before = columns.indexOf('target');
  const hasTarget = !/^(?:--|-f|!f)$/.test(words[before + 1] ?? '');
  const shown = hasTarget ? columns : columns.filter((column) => column !== 'target');
  const cells = new Map(shown.map((column, at) => [column, words[at] ?? '']));
  if (words.length < shown.length || !/^(?:--|-f|!f)$/.test(cells.get('opt') ?? '')) return undefined;
  const rule = [`-A ${chain}`];
  addAddress(rule, '-s', cells.get('source') ?? '');
  addAddress(rule, '-d', cells.get('destination') ?? '');
  addWord(rule, '-i', cells.get('in') ?? '*', ['*', 'any']);
  addWord(rule, '-o', cells.get('out') ?? '*', ['*', 'any']);
  addWord(rule, '-p', cells.get('prot') ?? 'all', ['all', '0']);
  const rest = new RegExp(`^(?:\\S+\\s+){${shown.length}}`).exec(`${line} `)?.[0].length ?? line.length;
  const details = readDetails(line.slice(rest), cells.get('target') ?? '');
  if (details === undefined) return undefined;
  return [...rule, ...details].join(' ');
}

function addAddress(rule: string[], option: string, cell: string): void {
  addWord(rule, option, cell === 'anywhere' ? '0.0.0.0/0' : cell, ['0.0.0.0/0', '::/0', '']);
}

function addWord(rule: string[], option: string, cell: string, none: readonly string[]): void {
  const isNot = cell.startsWith('!');
  const value = isNot ? cell.slice(1) : cell;
  if (none.includes(value)) return;
  rule.push(`${isNot ? '! ' : ''}${option} ${value}`);
}

/** Matches and the target's options, in words: a comment, `tcp dpt:80`, `to:10.0.0.1:80`. */
function readDetails(text: string, target: string): readonly string[] | undefined {
  const words: string[] = [];
  const options: string[] = [];
  let rest = text.trim();
  let isGoto = false;
  while (rest !== '') {
    const found = details.find(({ pattern }) => pattern.test(rest));
    const match = found?.pattern.exec(rest);
    if (found === undefined || match === undefined || match === null) return undefined;
    const written = found.write(match);
    if (found.isGoto) isGoto = true;
    else if (written !== '') (found.isOption ? options : words).push(written);
    rest = rest.slice(match[0].length).trimStart();
  }
  if (target === '') return words;
  const bare = target === 'MARK' && options.length === 0 ? undefined : target;
  return bare === undefined ? undefined : [...words, `${isGoto ? '-g' : '-j'} ${bare}`, ...options];
}

interface Detail {
  readonly pattern: RegExp;
  readonly write: (match: RegExpExecArray) => string;
  readonly isOption?: true;
  readonly isGoto?: true;
}

function detail(pattern: RegExp, write: (match: RegExpExecArray) => string): Detail {
  return { pattern, write };
}

function option(pattern: RegExp, write: (match: RegExpExecArray) => string): Detail {
  return { pattern, write, isOption: true };
}

function not(sign: string | undefined): string {
  return sign === undefined || sign === '' ? '' : '! ';
}

const details: readonly Detail[] = [
  detail(/^\/\* ?(.*?) ?\*\/(?= |$)/, ([, text = '']) => `-m comment --comment "${text.replace(/["\\']/g, '\\$&')}"`),
  { pattern: /^\[goto\]\s*/, write: () => '', isGoto: true },
  detail(/^(tcp|udp|sctp|dccp) (dpts?|spts?):(!)?([\d:]+)(?: (dpts?|spts?):(!)?([\d:]+))?(?= |$)/, (m) => {
    const side = (word = '') => (word.startsWith('d') ? '--dport' : '--sport');
    const first = `${not(m[3])}${side(m[2])} ${m[4]}`;
    return `-m ${m[1]} ${first}${m[5] === undefined ? '' : ` ${not(m[6])}${side(m[5])} ${m[7]}`}`;
  }),
  detail(/^(tcp|udp|sctp)(?= (?:to:|recent)|$)/, ([, name]) => `-m ${name}`),
  detail(/^ADDRTYPE match( src-type !?[A-Z,]+)?( dst-type !?[A-Z,]+)?/, (m) => {
    const side = (text: string | undefined, name: string) => {
      const value = text?.trim().split(' ')[1];
      if (value === undefined) return '';
      return value.startsWith('!') ? ` ! --${name} ${value.slice(1)}` : ` --${name} ${value}`;
    };
    return `-m addrtype${side(m[1], 'src-type')}${side(m[2], 'dst-type')}`;
  }),
  detail(/^statistic mode random probability ([\d.]+)/, ([, p]) => `-m statistic --mode random --probability ${p}`),
  detail(
    /^recent: (SET|CHECK|UPDATE|REMOVE)( seconds: \d+)?( reap)?( hit_count: \d+)? name: (\S+) side: (source|dest)(?: mask: (\S+))?/,
    (m) => {
      const actions: Readonly<Record<string, string>> = {
        SET: 'set',
        CHECK: 'rcheck',
        UPDATE: 'update',
        REMOVE: 'remove',
      };
      const seconds = m[2] === undefined ? '' : ` --seconds ${m[2].trim().split(' ')[1]}`;
      const hits = m[4] === undefined ? '' : ` --hitcount ${m[4].trim().split(' ')[1]}`;
      const mask = m[7] === undefined ? '' : ` --mask ${m[7]}`;
      return `-m recent --${actions[m[1] ?? '']}${seconds}${m[3] ? ' --reap' : ''}${hits} --name ${m[5]}${mask} --r${m[6]}`;
    },
  ),
  detail(/^mark match (!)? ?(0x[0-9a-f]+(?:\/0x[0-9a-f]+)?)/, (m) => `-m mark ${not(m[1])}--mark ${m[2]}`),
  detail(/^(!)? ?ctstate ([A-Z,]+)/, (m) => `-m conntrack ${not(m[1])}--ctstate ${m[2]}`),
  detail(/^state ([A-Z,]+)/, ([, states]) => `-m state --state ${states}`),
  detail(/^(!)? ?match-set (\S+) (\S+)/, (m) => `-m set ${not(m[1])}--match-set ${m[2]} ${m[3]}`),
  detail(/^PHYSDEV match (!)? ?--physdev-is-in/, (m) => `-m physdev ${not(m[1])}--physdev-is-in`),
  detail(/^multiport (d|s)?ports (\S+)/, (m) => `-m multiport --${m[1] ?? ''}ports ${m[2]}`),
  option(/^to:(\S+)/, ([, to]) => `--to-destination ${to}`),
  option(/^MARK (or|and|xor) (0x[0-9a-f]+)/, ([, how, value]) => `--${how}-mark ${value}`),
  option(/^MARK set (0x[0-9a-f]+)/, ([, value]) => `--set-mark ${value}`),
  option(/^MARK xset (0x[0-9a-f]+\/0x[0-9a-f]+)/, ([, value]) => `--set-xmark ${value}`),
  option(/^reject-with (\S+)/, ([, kind]) => `--reject-with ${kind}`),
  option(/^random-fully/, () => '--random-fully'),
  option(/^random/, () => '--random'),
];
