import { familyNames } from '../../../common/addresses/family.ts';
import { checkAddress, isOrdinaryAddress } from '../../fields/addresses.ts';
import type { Complain } from '../../fields/complain.ts';
import { quote } from '../../fields/quote.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject } from '../../kinds/manifests.ts';

/** clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy: addresses, and each other's equal. */
export function serviceClusterIPs(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    const { spec } = service.value;
    if (spec.type === 'ExternalName' || isPlain(spec)) continue;
    checkAgreement(service, complain);
    const families = checkAddresses(service, complain);
    if (families !== undefined) checkFamilies(service, families, complain);
  }
}

/** One good IPv4 address, said the same way in every field, as in most Services: nothing else needs a look. */
function isPlain({ clusterIP, clusterIPs, ipFamilies }: ServiceObject['spec']): boolean {
  if (!clusterIP || !isOrdinaryAddress(clusterIP, 'ipv4')) return false;
  const hasOneIP = !clusterIPs || (clusterIPs.length === 1 && clusterIPs[0] === clusterIP);
  return hasOneIP && (!ipFamilies || (ipFamilies.length === 1 && ipFamilies[0] === 'IPv4'));
}

function checkAgreement(service: Manifest<ServiceObject>, complain: Complain): void {
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = service.value.spec;
  if (clusterIPs?.length && (clusterIP ?? '') !== clusterIPs[0]) {
    const message = clusterIP
      ? `the first value must be that of clusterIP, ${quote(clusterIP)}`
      : 'must be left out where there is no clusterIP';
    complain(service, { code: 'fields-disagree', path: ['spec', 'clusterIPs'], message });
  }
  if (
    ipFamilies !== undefined &&
    ipFamilies !== null &&
    ipFamilies[0] !== undefined &&
    ipFamilies[0] === ipFamilies[1]
  ) {
    const message = `${ipFamilies[1]} is given twice`;
    complain(service, { code: 'fields-disagree', path: ['spec', 'ipFamilies', 1], message });
  }
  if (ipFamilyPolicy !== 'SingleStack') return;
  const several =
    (clusterIPs?.length ?? 0) > 1 ? 'clusterIPs' : (ipFamilies?.length ?? 0) > 1 ? 'ipFamilies' : undefined;
  if (several !== undefined) {
    complain(service, {
      code: 'fields-disagree',
      path: ['spec', 'ipFamilyPolicy'],
      message: `must be PreferDualStack or RequireDualStack where ${several} has two values`,
    });
  }
}

/** The families of the cluster IPs; undefined where there are none that could be compared. */
function checkAddresses(service: Manifest<ServiceObject>, complain: Complain): readonly string[] | undefined {
  const { clusterIP, clusterIPs } = service.value.spec;
  const isList = Boolean(clusterIPs?.length);
  const given = clusterIPs?.length ? clusterIPs : clusterIP ? [clusterIP] : [];
  if (given.length === 0 || (given.length === 1 && given[0] === 'None')) return undefined;
  const families: string[] = [];
  for (const [index, text] of given.slice(0, 2).entries()) {
    // The first one is best looked up where both spellings of it are: in clusterIP.
    const path = isList && !(index === 0 && clusterIP === text) ? ['spec', 'clusterIPs', index] : ['spec', 'clusterIP'];
    if (text === 'None') {
      complain(service, { code: 'fields-disagree', path, message: 'None must be the first and only value' });
      continue;
    }
    const ip = checkAddress(service, path, text, complain);
    if (ip !== undefined) families.push(familyNames[ip.family]);
  }
  if (given.length > 2) {
    complain(service, {
      code: 'fields-disagree',
      path: ['spec', 'clusterIPs'],
      message: `has ${given.length} values, at most one of each IP family is allowed`,
    });
    return undefined;
  }
  return families.length === given.length ? families : undefined;
}

function checkFamilies(service: Manifest<ServiceObject>, families: readonly string[], complain: Complain): void {
  const { clusterIPs, ipFamilies } = service.value.spec;
  if (families.length === 2 && families[0] === families[1]) {
    complain(service, {
      code: 'fields-disagree',
      path: ['spec', 'clusterIPs'],
      message: `has two ${families[0]} addresses, at most one of each IP family is allowed`,
    });
    return;
  }
  for (const [index, family] of families.entries()) {
    const wanted = ipFamilies?.[index];
    if (wanted === undefined || wanted === family) continue;
    const path = index === 0 && service.value.spec.clusterIP ? ['spec', 'clusterIP'] : ['spec', 'clusterIPs', index];
    const text = clusterIPs?.[index] ?? service.value.spec.clusterIP;
    complain(service, {
      code: 'wrong-address-family',
      path,
      message: `expected an ${wanted} address as ipFamilies[${index}] says, got ${quote(text)}`,
    });
  }
}
