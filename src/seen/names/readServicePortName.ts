/** A Service port as kube-proxy names it in comments and in names of chains. */
export interface ServicePortName {
  /** `namespace/name`. */
  readonly service: string;
  /** Empty: the port has no name. */
  readonly portName: string;
}

/** Reads `shop/web:http`, `shop/web` or, from old versions, `shop/web:`; undefined for anything else. */
export function readServicePortName(text: string): ServicePortName | undefined {
  const [, service, portName = ''] = /^([a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*)(?::([a-z0-9-]*))?$/.exec(text) ?? [];
  return service === undefined ? undefined : { service, portName };
}

/** `shop/web:http`, or `shop/web` if the port has no name. */
export function servicePortText({ service, portName }: ServicePortName): string {
  return portName === '' ? service : `${service}:${portName}`;
}
