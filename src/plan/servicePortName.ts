import type { ServicePort } from '../model/servicePort.ts';

/** `namespace/name:port` as people and reports name a Service port; no colon for an unnamed port. */
export function servicePortName(port: Pick<ServicePort, 'namespace' | 'name' | 'portName'>): string {
  return `${port.namespace}/${port.name}${port.portName === '' ? '' : `:${port.portName}`}`;
}
