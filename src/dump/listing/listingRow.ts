import { isOneWord } from '../../netfilter/iptables/print/quote.ts';
import { canonicalProtocol } from '../../netfilter/iptables/values/protocols.ts';
import { serviceChainKind } from '../../netfilter/proxyChains.ts';
import { type ReadDetails, readDetails } from './listingDetails.ts';

/** Takes the lines of `iptables -L [-n] [-v] [--line-numbers]` one by one; undefined: not a line of a listing. */
export type ListingReader = (line: string) => string | undefined;

/**
 * Translates rows of `iptables -L` to rules. The listing hides things (interfaces without -v, and always some options
 * of matches), so the result can only be compared loosely. A row that cannot be read stays as it is, and the parser
 * reports it. Rows without their chain, as `iptables -L | grep` prints them, go to the only chain of kube-proxy that
 * can have their target.
 */
export function listingReader(): ListingReader {
  let chain: string | undefined;
  let isNumbered = false;
  let isVerbose: boolean | undefined;
  // `column -t` also separates the words of comments.
  let isParted = false;
  const serviceChains = new Map<string, string>();
  return (given) => {
    if (/^Chain\s/.test(given)) isParted = /^Chain\s{2}/.test(given);
    const line = isParted ? given.replace(/\s+/g, ' ') : given;
    const head = /^Chain\s+(\S+)\s+\((?:policy\s+([A-Z]+)(?:\s+(\d+[KMGTP]?)\s+packets)?|\d+\s+references)/.exec(line);
    if (head !== null) {
      chain = head[1] as string;
      isVerbose = undefined;
      if (!isOneWord(chain)) return undefined;
      if (head[2] === undefined) return `-N ${chain}`;
      return `-P ${chain} ${head[2]}${head[3] === undefined ? '' : ` [${counted(head[3])}:0]`}`;
    }
    const heading = /^(num\s+)?(pkts\s+bytes\s+)?target\s+prot\s+opt\s/.exec(line);
    if (heading !== null) {
      isNumbered = heading[1] !== undefined;
      isVerbose = heading[2] !== undefined;
      return '';
    }
    if (chain !== undefined && isVerbose !== undefined) {
      const row = readRow(line, isVerbose, isNumbered);
      return row && `${isVerbose ? countersOf(line, isNumbered) : ''}-A ${chain} ${row.rule}`.trimEnd();
    }
    return chain === undefined && looksLikeRow.test(line) ? rowWithoutChain(line, serviceChains) : undefined;
  };
}

/** `12K` packets and `3M` bytes as iptables-save would write them. */
function countersOf(line: string, isNumbered: boolean): string {
  const [packets = '0', bytes = '0'] = line
    .trim()
    .split(/\s+/)
    .slice(isNumbered ? 1 : 0);
  return `[${counted(packets)}:${counted(bytes)}] `;
}

function counted(text: string): string {
  const number = Number.parseInt(text, 10) * (scales[text.at(-1) ?? ''] ?? 1);
  return Number.isFinite(number) ? String(number) : '0';
}

const scales: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };

const looksLikeRow = /^(?:\d+\s+)?(?:\d+[KMGTP]?\s+\d+[KMGTP]?\s+)?[A-Z][\w-]*\s+(?:\S+)\s+(?:--|-f|!f)\s/;

interface Row {
  /** A row without its chain. */
  readonly rule: string;
  readonly target: string;
  readonly hasDestination: boolean;
}

/** `serviceChains`: the chains of Service ports that previous rows led to. */
function rowWithoutChain(line: string, serviceChains: Map<string, string>): string | undefined {
  const isVerbose = /^(?:\d+\s+)?\d+[KMGTP]?\s+\d+[KMGTP]?\s+[A-Z]/.test(line);
  const isNumbered = isVerbose ? /^\d+\s+\d+[KMGTP]?\s+\d+/.test(line) : /^\d+\s/.test(line);
  const row = readRow(line, isVerbose, isNumbered);
  const port = commentedPort.exec(line)?.[1] ?? '';
  if (row !== undefined && serviceChainKind(row.target) === 'balance') serviceChains.set(port, row.target);
  const chain = row && (serviceChainKind(row.target) === 'endpoint' ? serviceChains.get(port) : chainOfRow(row));
  return chain === undefined ? undefined : `-A ${chain} ${row?.rule}`;
}

/**
 * The Service port that a comment names, without the rest: `shop/web:http cluster IP`, `shop/web:http -> 10.0.0.1:80`.
 */
const commentedPort = /\/\* ([a-z0-9.-]+\/[a-z0-9.-]+(?::\S*)?)/;

/**
 * Only KUBE-SERVICES checks addresses before it leads to Services, and only KUBE-NODEPORTS checks nothing but ports.
 */
function chainOfRow({ rule, target, hasDestination }: Row): string | undefined {
  if (target === 'KUBE-NODEPORTS') return 'KUBE-SERVICES';
  const kind = serviceChainKind(target);
  const leadsToService = kind !== undefined && kind !== 'endpoint';
  const isRefused = target === 'REJECT' && rule.includes(' has no endpoints"');
  if ((leadsToService || isRefused) && hasDestination) return 'KUBE-SERVICES';
  return leadsToService && / --dport /.test(rule) ? 'KUBE-NODEPORTS' : undefined;
}

/** Where the columns are: an empty target leaves a gap, and ip6tables before 1.8.9 also left the options empty. */
const layouts = [
  { hasTarget: true, hasOptions: true },
  { hasTarget: false, hasOptions: true },
  { hasTarget: true, hasOptions: false },
  { hasTarget: false, hasOptions: false },
] as const;

function readRow(line: string, isVerbose: boolean, isNumbered: boolean): Row | undefined {
  const words = line.trim().split(/\s+/);
  const before = (isNumbered ? 1 : 0) + (isVerbose ? 2 : 0);
  for (const { hasTarget, hasOptions } of layouts) {
    let at = before;
    const target = hasTarget ? (words[at++] ?? '') : '';
    const protocol = words[at++] ?? '';
    const fragments = hasOptions ? (words[at++] ?? '') : '--';
    const incoming = isVerbose ? (words[at++] ?? '') : '*';
    const outgoing = isVerbose ? (words[at++] ?? '') : '*';
    const source = words[at++] ?? '';
    const destination = words[at++] ?? '';
    const isRow =
      /^(?:--|-f|!f)$/.test(fragments) &&
      isProtocol(protocol) &&
      [source, destination].every((address) => isAddress(address, hasOptions));
    if (!isRow) continue;
    const rest = new RegExp(`^(?:\\S+\\s+){${at}}`).exec(`${line} `)?.[0].length ?? line.length;
    const details = readDetails(line.slice(rest), target);
    // A row says more than the name about these targets: without it the rule would be a different one.
    if (details === undefined || (needsOptions.test(target) && details.options.length === 0)) return undefined;
    const rule = [
      ...wordOf('-s', numericAddress(source), anyAddress),
      ...wordOf('-d', numericAddress(destination), anyAddress),
      ...wordOf('-i', incoming, anyInterface),
      ...wordOf('-o', outgoing, anyInterface),
      ...wordOf('-p', protocol, anyProtocol),
      ...(fragments === '-f' ? ['-f'] : fragments === '!f' ? ['! -f'] : []),
      ...details.matches,
      ...targetWords(target, details),
    ];
    const hasDestination = wordOf('-d', numericAddress(destination), anyAddress).length > 0;
    return { rule: rule.filter((word) => word !== '').join(' '), target, hasDestination };
  }
  return undefined;
}

/** `-j NOTRACK` is listed as a rule of CT that says NOTRACK. */
function targetWords(target: string, { options, isGoto }: ReadDetails): readonly string[] {
  if (target === '') return [];
  if (target === 'CT' && options[0] === 'NOTRACK') return ['-j NOTRACK'];
  return [`${isGoto ? '-g' : '-j'} ${target}`, ...options];
}

const needsOptions = /^(?:MARK|DNAT|SNAT|NETMAP|CONNMARK|TPROXY|SET|TCPMSS|DSCP|TOS|TTL|HL|TEE)$/;

const anyAddress: readonly string[] = ['0.0.0.0/0', '::/0', 'anywhere', ''];
const anyInterface: readonly string[] = ['*', 'any', ''];
const anyProtocol: readonly string[] = ['all', '0'];

function wordOf(option: string, cell: string, none: readonly string[]): readonly string[] {
  const isNot = cell.startsWith('!');
  const value = isNot ? cell.slice(1) : cell;
  return !isNot && none.includes(value) ? [] : [`${isNot ? '! ' : ''}${option} ${value}`];
}

function isProtocol(cell: string): boolean {
  const name = cell.replace(/^!/, '');
  return /^\d{1,3}$/.test(name) || name === 'all' || /^[a-z][a-z0-9.-]*$/.test(canonicalProtocol(name) ?? '');
}

/** Without the column of options the family can only be IPv6: a name there could be anything. */
function isAddress(cell: string, isNamed: boolean): boolean {
  const address = cell.replace(/^!/, '');
  if (address === 'anywhere' || /^[0-9a-fA-F]*:[0-9a-fA-F:.]*(?:\/\S+)?$/.test(address)) return true;
  return isNamed && /^[\w.-]+(?:\/[\w.:]+)?$/.test(address);
}

/** Without -n it contains names from /etc/networks and /etc/hosts. */
function numericAddress(cell: string): string {
  return cell
    .replace(/^(!?)loopback\/8$/, '$1127.0.0.0/8')
    .replace(/^(!?)localhost$/, '$1127.0.0.1')
    .replace(/^(!?)ip6-localhost$/, '$1::1')
    .replace(/^(!)anywhere$/, '$10.0.0.0/0');
}
