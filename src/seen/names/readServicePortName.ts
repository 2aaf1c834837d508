/** A Service port as kube-proxy names it in comments and in names of chains. */
export interface ServicePortName {
  /** `namespace/name`. */
  readonly service: string;
  /** Empty: the port has none. */
  readonly portName: string;
}

/** Reads `shop/web:http`, `shop/web` or, of old versions, `shop/web:`; undefined: the text is anything else. */
export function readServicePortName(text: string): ServicePortName | undefined {
  const [, service, portName = ''] = /^([a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*)(?::([a-z0-9-]*))?$/.exec(text) ?? [];
  return service === undefined ? undefined : { service, portName };
}

/** `shop/web:http`, and `shop/web` where the port has no name. */
export function servicePortText({ service, portName }: ServicePortName): string {
  return portName === '' ? service : `${service}:${portName}`;
}
