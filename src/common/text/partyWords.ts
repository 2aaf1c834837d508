import { canonicalIp } from '../addresses/ip.ts';
import { isUrl } from './isUrl.ts';
import { kindOfWorkload } from './workloadNamed.ts';

/**
 * One spelling for the many ways in which people name a party: `pod/shop/web-0` for po/, pods/ and `pod:`,
 * `svc/shop/web` also for its DNS name (`web.shop`, `web.shop.svc`), `node/n1`, `outside`. `namespace` is that of names
 * without one, like kubectl's -n; without that, `bare` is that of names without a kind, either. A port and its protocol
 * follow: `:53/udp`, even if they were written `:udp/53`. Anything else stays as it is.
 */
export function partyWords(text: string, namespace?: string, bare = namespace): string {
  const [who, port] = partyAndPort(text);
  const party = spelled(who, namespace, bare);
  if (port === undefined) return party;
  // An address keeps its brackets.
  return `${party}:${port}`;
}

/** `svc/shop/web:53/udp` in two parts; the port comes without its leading colon and is undefined if none is named. */
export function partyAndPort(text: string): readonly [party: string, port: string | undefined] {
  if (isUrl(text) || (canonicalIp(text) !== undefined && text.includes(':'))) return [text, undefined];
  const kind = /^[a-z]+:(?=[a-z])(?=.*\/)/i.exec(text)?.[0] ?? /^(?:nodes?|no):(?=[a-z])/i.exec(text)?.[0] ?? '';
  const [, who = text, port] = /^(\[[^\]]*\]|[^:]*):([^:]+)$/.exec(text.slice(kind.length)) ?? [];
  if (port === undefined) return [text, undefined];
  const [, proto, number] = /^(tcp|udp|sctp)\/([a-z0-9-]+)$/i.exec(port) ?? [];
  return [kind + who, proto === undefined ? port : `${number}/${proto.toLowerCase()}`];
}

/** The namespace of a Pod or workload in such words: to its DNS, bare names are of it. */
export function namespaceOfSender(words: string | undefined): string | undefined {
  const parts = words?.split('/') ?? [];
  const [first = '', second = ''] = parts;
  if (parts.length < 2 || parts.length > 3 || first === 'node' || first === 'svc') return undefined;
  if (parts.length === 3) return second;
  return kinds.has(first) || kindOfWorkload(first) !== undefined ? 'default' : first;
}

function spelled(who: string, namespace: string | undefined, bare: string | undefined): string {
  if (/^(?:outside|external|internet)$/.test(who)) return 'outside';
  if (who === 'node' || who.includes('[') || canonicalIp(who) !== undefined) return who;
  const [, word = '', rest = ''] = /^([a-z]+)[:/](.+)$/i.exec(who) ?? [];
  const kind = kinds.get(word.toLowerCase());
  if (kind === 'node') return /^\d+$/.test(rest) ? who : `node/${rest}`;
  if (kind !== undefined) return `${kind}/${inNamespace(rest, namespace)}`;
  if (kindOfWorkload(word) !== undefined) return `${word}/${inNamespace(rest, namespace)}`;
  const [, name, own] = /^([a-z][a-z0-9-]*)\.([a-z0-9-]+)(?:\.svc(?:\.[a-z0-9.-]+)?)?$/.exec(who) ?? [];
  if (name !== undefined) return `svc/${own}/${name}`;
  return bare !== undefined && /^[a-z0-9][a-z0-9-]*$/.test(who) ? `${bare}/${who}` : who;
}

function inNamespace(name: string, namespace: string | undefined): string {
  return name.includes('/') || namespace === undefined ? name : `${namespace}/${name}`;
}

const kinds: ReadonlyMap<string, 'pod' | 'svc' | 'node'> = new Map([
  ['po', 'pod'],
  ['pod', 'pod'],
  ['pods', 'pod'],
  ['svc', 'svc'],
  ['service', 'svc'],
  ['services', 'svc'],
  ['no', 'node'],
  ['node', 'node'],
  ['nodes', 'node'],
]);
