/**
 * The Service (`namespace/name`) of a host's name: `web.shop`, `web.shop.svc` and `web.shop.svc.cluster.local`, and `web`
 * in the namespace `own`. Undefined: it is in none of these forms.
 */
export function serviceOfHost(host: string, own?: string): string | undefined {
  const [, name, namespace = own] = /^([^./]+)(?:\.([^./]+)(?:\.svc(?:\..*)?)?)?$/.exec(host) ?? [];
  return namespace === undefined ? undefined : `${namespace}/${name}`;
}
