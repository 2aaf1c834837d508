import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { checkOrdinaryAddress, isOrdinaryAddress } from '../fields/addresses.ts';
import type { Complain } from '../fields/complain.ts';
import { dns1123LabelProblem, dns1123SubdomainProblem, domainNameProblem } from '../fields/names.ts';
import { quote } from '../fields/quote.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { EndpointSliceObject, Manifests } from '../kinds/manifests.ts';
import type { Labels } from '../kinds/objectMeta.ts';
import { checkLabels } from './labels.ts';

/** EndpointSlices: addresses of the slice's type, names of ports, and the label that says whose endpoints they are. */
export function endpointSlices(manifests: Manifests, complain: Complain): void {
  for (const slice of manifests.endpointSlices) {
    if (!slice.value.metadata.labels?.[serviceName]) {
      complain(slice, {
        code: 'slice-without-service',
        path: ['metadata', 'labels'],
        message: `without the label ${serviceName} the endpoints belong to no Service`,
      });
    }
    checkEndpoints(slice, complain);
    checkPortNames(slice, complain);
  }
}

const serviceName = 'kubernetes.io/service-name';

function checkEndpoints(slice: Manifest<EndpointSliceObject>, complain: Complain): void {
  const nodes = new Set<string>();
  const family = slice.value.addressType === 'IPv6' ? 'ipv6' : 'ipv4';
  const endpoints = slice.value.endpoints ?? [];
  for (let index = 0; index < endpoints.length; index += 1) {
    const { addresses, nodeName, hints, hostname, deprecatedTopology } = endpoints[index] as (typeof endpoints)[number];
    for (let position = 0; position < addresses.length; position += 1) {
      const address = addresses[position] as string;
      if (slice.value.addressType !== 'FQDN' && isOrdinaryAddress(address, family)) continue;
      checkEndpointAddress(slice, ['endpoints', index, 'addresses', position], address, complain);
    }
    if (nodeName && !nodes.has(nodeName)) {
      nodes.add(nodeName);
      const problem = dns1123SubdomainProblem(nodeName);
      if (problem !== undefined) {
        const path = ['endpoints', index, 'nodeName'];
        complain(slice, { code: 'bad-name', path, message: `${quote(nodeName)} ${problem}` });
      }
    }
    if (hostname !== undefined && hostname !== null) checkHostname(slice, index, hostname, complain);
    if (deprecatedTopology) checkTopology(slice, index, deprecatedTopology, complain);
    if (hints?.forZones) checkZones(slice, index, hints.forZones, complain);
  }
}

/** An empty text is not the same as none here. */
function checkHostname(
  slice: Manifest<EndpointSliceObject>,
  index: number,
  hostname: string,
  complain: Complain,
): void {
  const problem = dns1123LabelProblem(hostname);
  if (problem === undefined) return;
  complain(slice, {
    code: 'bad-name',
    path: ['endpoints', index, 'hostname'],
    message: `${quote(hostname)} ${problem}`,
  });
}

function checkTopology(
  slice: Manifest<EndpointSliceObject>,
  index: number,
  topology: Labels,
  complain: Complain,
): void {
  const path = ['endpoints', index, 'deprecatedTopology'];
  checkLabels(slice, path, topology, new Set(), complain);
  const count = Object.keys(topology).length;
  if (count > mostTopologyKeys) {
    const message = `has ${count} keys, at most ${mostTopologyKeys} are allowed`;
    complain(slice, { code: 'wrong-item-count', path, message });
  }
}

const mostTopologyKeys = 16;

function checkZones(
  slice: Manifest<EndpointSliceObject>,
  index: number,
  forZones: readonly { readonly name: string }[],
  complain: Complain,
): void {
  const zones = new Set<string>();
  for (const [position, { name }] of forZones.entries()) {
    if (zones.has(name)) {
      const path = ['endpoints', index, 'hints', 'forZones', position, 'name'];
      complain(slice, { code: 'fields-disagree', path, message: `the zone ${quote(name)} is given twice` });
    }
    zones.add(name);
  }
}

function checkEndpointAddress(
  slice: Manifest<EndpointSliceObject>,
  path: JsonPath,
  address: string,
  complain: Complain,
): void {
  const { addressType } = slice.value;
  if (addressType === 'FQDN') {
    const problem = domainNameProblem(address);
    if (problem !== undefined) {
      complain(slice, { code: 'bad-name', path, message: `${quote(address)} ${problem}` });
    }
    return;
  }
  const ip = checkOrdinaryAddress(slice, path, address, complain);
  if (ip !== undefined && ip.family !== addressType.toLowerCase()) {
    complain(slice, {
      code: 'wrong-address-family',
      path,
      message: `expected an ${addressType} address as addressType says, got ${quote(address)}`,
    });
  }
}

function checkPortNames(slice: Manifest<EndpointSliceObject>, complain: Complain): void {
  const names = new Set<string>();
  for (const [index, { name }] of (slice.value.ports ?? []).entries()) {
    const path = ['ports', index, 'name'];
    const known = name ?? '';
    const problem = known === '' ? undefined : dns1123LabelProblem(known);
    if (problem !== undefined) {
      complain(slice, { code: 'bad-name', path, message: `${quote(known)} ${problem}` });
    }
    if (names.has(known)) {
      complain(slice, { code: 'duplicate-port', path, message: `another port has the name ${quote(known)}` });
    }
    names.add(known);
  }
}
