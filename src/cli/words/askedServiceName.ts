import { partyAndPort } from '../../common/partyWords.ts';

/** The Service that words on a command line name. */
export interface ServiceName {
  /** `namespace/name`. */
  readonly service: string;
  readonly port: string | undefined;
}

/**
 * Reads `shop/web`, `shop/web:http`, as kubectl has it `svc/web` with a namespace of its own, and as DNS has it
 * `web.shop.svc`. A text: what is wrong.
 */
export function askedServiceName(text: string, namespace: string | undefined): ServiceName | string {
  const [, kind, rest = text] = /^(svc|services?)[:/](.+)$/i.exec(text) ?? [];
  const [who, asked] = partyAndPort(rest);
  // A check is about all protocols of a port.
  const [name = '', port, ...more] = `${who}${asked === undefined ? '' : `:${asked.replace(/\/[a-z]+$/i, '')}`}`.split(
    ':',
  );
  if (more.length > 0 || port === '') return `${text} cannot be the name of a Service`;
  const domain = /^([^./]+)\.([^./]+)(?:\.svc(?:\..*)?)?$/.exec(name);
  const parts = domain === null ? name.split('/') : [domain[2] ?? '', domain[1] ?? ''];
  const [own, short] = parts.length === 2 ? parts : [undefined, name];
  if (parts.length > 2 || own === '' || !short || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(short))
    return `${text} cannot be the name of a Service${kind === undefined ? '' : ': write svc/NAME with -n NAMESPACE'}`;
  if (own !== undefined && namespace !== undefined && own !== namespace)
    return `${text} is of namespace ${own}, and -n says ${namespace}`;
  return { service: `${own ?? namespace ?? 'default'}/${short}`, port };
}
