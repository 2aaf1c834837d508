import { base32Prefix } from '../common/base32.ts';
import { compareBytes } from '../common/compareBytes.ts';
import { sha256 } from '../common/sha256.ts';
import { hashedChain } from './chainHashes.ts';
import type { Redaction } from './redaction.ts';
import { redactComment, redactHash } from './redactWords.ts';

/** The text of a program that shows a node: rules, sets, addresses, routes, connections. */
export function redactText(text: string, redaction: Redaction): string {
  const lines = text.split('\n').map((line) => redactLine(line, redaction));
  sortRemembered(lines);
  return lines.join('\n');
}

/** kube-proxy looks for clients that it remembers in the order of the endpoints as text. */
function sortRemembered(lines: string[]): void {
  const endpoints = new Map<string, string>();
  for (const line of lines) {
    const [, chain, endpoint] = /-A (KUBE-SEP-\S+) .*--to-destination (\S+)/.exec(line) ?? [];
    if (chain !== undefined && endpoint !== undefined) endpoints.set(chain, endpoint);
  }
  const placeOf = (line: string) =>
    line.includes(' goto endpoint-')
      ? orderOf(line)
      : (endpoints.get(/ -j (KUBE-SEP-\S+)/.exec(line)?.[1] ?? '') ?? '');
  for (let start = 0; start < lines.length; start += 1) {
    const chain = rememberedChain(lines[start]);
    if (chain === undefined) continue;
    let end = start + 1;
    while (rememberedChain(lines[end]) === chain) end += 1;
    const sorted = lines.slice(start, end).sort((a, b) => compareBytes(placeOf(a), placeOf(b)));
    lines.splice(start, end - start, ...sorted);
    start = end - 1;
  }
}

function rememberedChain(line: string | undefined): string | undefined {
  return /-A (KUBE-\S+) .*--rcheck .* -j KUBE-SEP-|ip6? saddr (@)affinity-\S+ goto endpoint-/
    .exec(line ?? '')
    ?.slice(1)
    .find((part) => part !== undefined);
}

function redactLine(line: string, redaction: Redaction): string {
  return inOrder(replaced(line, redaction));
}

function replaced(line: string, redaction: Redaction): string {
  return line.replace(token, (whole: string, ...parts: readonly (string | undefined)[]) => {
    const [comment, plainComment, nftName, prefix, hash, mac, made, address] = parts;
    if (comment !== undefined) return `comment "${redactComment(comment, redaction)}"`;
    if (plainComment !== undefined) return `--comment ${redactComment(plainComment, redaction)}`;
    if (nftName !== undefined) return redactNftName(nftName, redaction);
    if (prefix !== undefined && hash !== undefined) return `${prefix}${redactHash(hash, redaction)}`;
    if (mac !== undefined) return redactMac(mac, redaction);
    if (made !== undefined) return redactMade(made, redaction);
    return redaction.addresses.of(address ?? '') ?? whole;
  });
}

/** kube-proxy numbers the endpoints of a Service in the order of their addresses as text, in nftables mode. */
function inOrder(line: string): string {
  return line.replace(
    /(numgen random mod \d+ v?map \{ )(.*)( \})/,
    (_, head: string, elements: string, tail: string) => {
      const values = elements.split(', ').map((element) => element.replace(/^\d+ : /, ''));
      const sorted = values.sort((a, b) => compareBytes(orderOf(a), orderOf(b)));
      return `${head}${sorted.map((value, at) => `${at} : ${value}`).join(', ')}${tail}`;
    },
  );
}

/** `10.0.0.1 . 80` and `goto endpoint-HASH-shop/web/tcp/http__10.0.0.1/80` as `10.0.0.1:80`. */
function orderOf(value: string): string {
  const [, chained, port] = /__([^/]*)\/(\d+)/.exec(value) ?? [];
  return chained === undefined ? value.replace(' . ', ':') : `${chained}:${port}`;
}

/** In this order: what stands in quotes and names is not looked at for addresses. */
const token = new RegExp(
  [
    'comment "([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"',
    '--comment ([^"\\s]\\S*)',
    '\\b((?:service|local|external|firewall|endpoint|affinity)-[A-Z2-7]{8}-[A-Za-z0-9._/-]+)',
    hashedChain.source,
    '\\b((?:[0-9a-f]{2}:){5}[0-9a-f]{2})\\b',
    '\\b((?:cali(?!-)|veth|lxc|eni|azv|tap|CNI-[A-Z]+-|cali-(?:[a-z]+-|(?=[A-Za-z0-9_-]{16})))[0-9A-Za-z._-]{6,})',
    '(?<![\\w.:/-])((?:[0-9a-fA-F]{0,4}:){2,7}(?:\\d+\\.\\d+\\.\\d+\\.\\d+|[0-9a-fA-F]{0,4})(?:/\\d+)?|\\d{1,3}(?:\\.\\d{1,3}){3}(?:/\\d+)?)(?![\\w.])',
  ].join('|'),
  'g',
);

/** `endpoint-HASH-namespace/name/protocol/port__address/port`; in IPv6 addresses dots stand for colons. */
function redactNftName(name: string, { names, addresses }: Redaction): string {
  const [, kind = '', plain = ''] = /^([a-z]+)-[A-Z2-7]{8}-(.*)$/.exec(name) ?? [];
  const [service = '', endpoint] = plain.split('__');
  const [namespace = '', own = '', protocol = '', port = ''] = service.split('/');
  let made = `${names.of(namespace, 'ns')}/${names.of(own, 'svc')}/${protocol}/${names.of(port, 'port')}`;
  if (endpoint !== undefined) {
    const [ip = '', number = ''] = endpoint.split('/');
    const spelled = /^\d+\.\d+\.\d+\.\d+$/.test(ip) ? ip : ip.replaceAll('.', ':');
    made += `__${(addresses.of(spelled) ?? spelled).replaceAll(':', '.')}/${number}`;
  }
  return `${kind}-${base32Prefix(made, 8)}-${made}`;
}

/** The maker stays out as well; that it is nobody's card is said by the second bit. */
function redactMac(mac: string, { secret }: Redaction): string {
  if (/^(?:00:){5}00$|^(?:ff:){5}ff$|^33:33:|^01:/.test(mac)) return mac;
  const digits = sha256(`${secret} ${mac}`).slice(0, 10);
  return `02:${digits.match(/../g)?.join(':')}`;
}

/** Names of interfaces and chains that are made of a hash of a Pod's name keep what tells their program. */
function redactMade(name: string, { secret, names }: Redaction): string {
  const [, chain = '', namespace, more = ''] = /^(cali-pr[io]-k(?:ns|sa)\.)([^.]+)(.*)$/.exec(name) ?? [];
  if (namespace !== undefined)
    return `${chain}${names.of(namespace, 'ns')}${more === '' ? '' : `.${names.of(more.slice(1), 'name')}`}`;
  const [, program = '', rest = ''] =
    /^(cali-[a-z]+-|cali-|cali|veth|lxc|eni|azv|tap|CNI-[A-Z]+-)(.*)$/.exec(name) ?? [];
  // Chains of Calico that have words in place of a hash are the same everywhere.
  if (program.startsWith('cali-') && /^[a-z-]+$/i.test(rest) && !names.has(rest)) return name;
  return `${program}${sha256(`${secret} ${rest}`).slice(0, rest.length)}`;
}
