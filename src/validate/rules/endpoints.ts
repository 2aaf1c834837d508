import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { checkOrdinaryAddress, isOrdinaryAddress } from '../fields/addresses.ts';
import type { Complain } from '../fields/complain.ts';
import { dns1123LabelProblem, dns1123SubdomainProblem } from '../fields/names.ts';
import { quote } from '../fields/quote.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { EndpointAddressObject, Manifests } from '../kinds/manifests.ts';
import { hiddenPortNames, hidesPortNames } from '../shown/hiddenPortNames.ts';

/** Endpoints: each subset has addresses that can be endpoints, and names for several ports. */
export function endpoints(manifests: Manifests, complain: Complain): void {
  for (const manifest of manifests.endpoints) {
    for (const [index, subset] of (manifest.value.subsets ?? []).entries()) {
      const path = ['subsets', index];
      const { addresses, notReadyAddresses, ports } = subset;
      if (!addresses?.length && !notReadyAddresses?.length) {
        const message = 'must have addresses or notReadyAddresses';
        complain(manifest, { code: 'missing-field', path, message });
      }
      checkAddresses(manifest, [...path, 'addresses'], addresses ?? [], complain);
      checkAddresses(manifest, [...path, 'notReadyAddresses'], notReadyAddresses ?? [], complain);
      if (hidesPortNames(manifest, ports ?? [])) {
        complain(manifest, hiddenPortNames([...path, 'ports'], (ports ?? []).length));
        continue;
      }
      for (const [portIndex, { name }] of (ports ?? []).entries()) {
        checkPortName(manifest, [...path, 'ports', portIndex, 'name'], name ?? '', (ports ?? []).length > 1, complain);
      }
    }
  }
}

function checkAddresses(
  manifest: Manifest<unknown>,
  path: JsonPath,
  addresses: readonly EndpointAddressObject[],
  complain: Complain,
): void {
  for (const [index, { ip, hostname, nodeName }] of addresses.entries()) {
    if (!isOrdinaryAddress(ip, ip.includes(':') ? 'ipv6' : 'ipv4')) {
      checkOrdinaryAddress(manifest, [...path, index, 'ip'], ip, complain);
    }
    const hostnameProblem = hostname ? dns1123LabelProblem(hostname) : undefined;
    if (hostnameProblem !== undefined) {
      const message = `${quote(hostname)} ${hostnameProblem}`;
      complain(manifest, { code: 'bad-name', path: [...path, index, 'hostname'], message });
    }
    const nodeProblem = nodeName ? dns1123SubdomainProblem(nodeName) : undefined;
    if (nodeProblem !== undefined) {
      const message = `${quote(nodeName)} ${nodeProblem}`;
      complain(manifest, { code: 'bad-name', path: [...path, index, 'nodeName'], message });
    }
  }
}

function checkPortName(
  manifest: Manifest<unknown>,
  path: JsonPath,
  name: string,
  isRequired: boolean,
  complain: Complain,
): void {
  if (name === '') {
    if (isRequired) {
      complain(manifest, { code: 'missing-field', path, message: 'is required: each of several ports needs a name' });
    }
    return;
  }
  const problem = dns1123LabelProblem(name);
  if (problem !== undefined) complain(manifest, { code: 'bad-name', path, message: `${quote(name)} ${problem}` });
}
