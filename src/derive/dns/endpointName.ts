import { canonicalIp } from '../../common/addresses/ip.ts';
import type { EndpointOfService } from '../../model/service.ts';
import { dns1123SubdomainProblem } from '../../validate/fields/names.ts';

/** The first label of an endpoint's name: its hostname, its Pod's name if that is wanted, or its address with dashes. */
export function endpointName(endpoint: EndpointOfService, usesPodNames: boolean): string {
  if (endpoint.hostname !== '') return endpoint.hostname;
  const { target } = endpoint;
  // Nothing checks the name in a slice's targetRef.
  if (usesPodNames && target.length < 64 && dns1123SubdomainProblem(target) === undefined) return target;
  return dashed(endpoint.address);
}

/** `10-244-1-5`, `fd00-244-1--0`: a name does not end in a dash. An IPv4 address in IPv6 spelling counts as IPv4. */
function dashed(written: string): string {
  const address = written.includes('.') ? (canonicalIp(written) ?? written) : written.toLowerCase();
  const name = address.replaceAll('.', '-').replaceAll(':', '-');
  return name.endsWith('-') ? `${name}0` : name;
}
