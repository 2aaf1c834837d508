import { flatText } from '../common/text/flatText.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { ServicePort } from '../model/servicePort.ts';

/** `ns/name:port` as a version's rules name a Service port: those before 1.19 keep the colon of an unnamed port. */
export function displayName(
  port: Pick<ServicePort, 'namespace' | 'name' | 'portName'>,
  dialect: Pick<PlanDialect, 'servicePortColon'>,
): string {
  const name = `${port.namespace}/${port.name}`;
  return flatText(port.portName === '' && dialect.servicePortColon === 'onlyNamed' ? name : `${name}:${port.portName}`);
}
