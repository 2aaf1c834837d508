import { isUrl } from '../../common/text/isUrl.ts';
import { partyAndPort } from '../../common/text/partyWords.ts';

/** The Service that words on a command line name. */
export interface ServiceName {
  /** `namespace/name`. */
  readonly service: string;
  readonly port: string | undefined;
}

/**
 * Reads `shop/web`, `shop/web:http`, kubectl's `svc/web` with a separate namespace, the DNS name `web.shop.svc`, and a
 * URL with such a name. `usual` is the namespace of a name without one. A text: what is wrong.
 */
export function askedServiceName(text: string, namespace: string | undefined, usual = 'default'): ServiceName | string {
  const plain = withoutUrl(text);
  const [, kind, rest = plain] = /^(svc|services?)[:/](.+)$/i.exec(plain) ?? [];
  if (isAddress(rest))
    return `${text} is an address: k8snet whois ${text} says which Service has it, with --live or -f`;
  const [who, asked] = partyAndPort(rest);
  // A check covers all protocols of a port.
  const [name = '', port, ...more] = `${who}${asked === undefined ? '' : `:${asked.replace(/\/[a-z]+$/i, '')}`}`.split(
    ':',
  );
  if (more.length > 0 || port === '') return unfit(text);
  const domain = /^([^./]+)\.([^./]+)(?:\.svc(?:\..*)?)?$/.exec(name);
  const parts = domain === null ? name.split('/') : [domain[2] ?? '', domain[1] ?? ''];
  const [own, short] = parts.length === 2 ? parts : [undefined, name];
  if (parts.length > 2 || own === '' || !short || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(short))
    return kind === undefined ? unfit(text) : `${unfit(text)}: write svc/NAME with -n NAMESPACE`;
  if (own !== undefined && namespace !== undefined && own !== namespace) return mismatch(text, own, namespace);
  return { service: `${own ?? namespace ?? usual}/${short}`, port };
}

function unfit(text: string): string {
  if (text.trim() === '') return 'the name of the Service is empty';
  const [, name = '', port = ''] = /^([a-z0-9-]+\/[a-z0-9-]+)\/([a-z0-9-]+)$/.exec(text) ?? [];
  if (name !== '') return `${text} cannot be the name of a Service: if ${port} is its port, write ${name}:${port}`;
  const lower = text.toLowerCase();
  const isSpelledSo = lower !== text && typeof askedServiceName(lower, undefined) !== 'string';
  return `${text} cannot be the name of a Service${isSpelledSo ? `: names are in lower case: ${lower}` : ''}`;
}

/** `http://web.shop:8080/cart` becomes `web.shop:8080`; without a port it gets the scheme's. */
function withoutUrl(text: string): string {
  if (!isUrl(text) || !URL.canParse(text)) return text;
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

function isAddress(text: string): boolean {
  return (
    /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/.test(text) ||
    /^\[[\da-f:.]+\](?::\d+)?$|^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(text)
  );
}

/** With -n, the part before the slash is usually one of kubectl's kinds. */
function mismatch(text: string, own: string, namespace: string): string {
  return kinds.has(own)
    ? `${text} names no Service: write svc/NAME`
    : `${text} is of namespace ${own}, and -n says ${namespace}`;
}

const kinds: ReadonlySet<string> = new Set(
  'po pod pods deploy deployment deployments sts statefulset statefulsets ds daemonset daemonsets rs replicaset replicasets ing ingress ingresses ep endpoints endpointslice endpointslices no node nodes'.split(
    ' ',
  ),
);
