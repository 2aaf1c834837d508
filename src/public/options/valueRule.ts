import { isCidr, parseCidr } from '../../common/addresses/cidr.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { parsePortRange } from '../../common/addresses/portRange.ts';
import { isInterfaceName } from '../../common/proxy/isInterfaceName.ts';
import { isNodePortWord } from '../../common/text/nodePortWord.ts';
import { parseKubeVersion } from '../../dialect/version.ts';

/**
 * Checks the value of an option. Undefined: the value is fine; otherwise what it should be, to be read after "must be".
 */
export type ValueRule = (value: unknown) => string | undefined;

export const flag: ValueRule = (value) => (typeof value === 'boolean' ? undefined : 'true or false');

export const text: ValueRule = (value) => (typeof value === 'string' ? undefined : 'a text');

export const list: ValueRule = (value) => (Array.isArray(value) ? undefined : 'an array');

export const set: ValueRule = (value) => (value instanceof Set ? undefined : 'a Set');

export const record: ValueRule = (value) => (isRecord(value) ? undefined : 'an object');

export const callback: ValueRule = (value) => (typeof value === 'function' ? undefined : 'a function');

export const date: ValueRule = (value) =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? undefined : 'a valid Date';

/** One of some words. */
export function oneOf(...words: readonly string[]): ValueRule {
  const [last, ...first] = [...words].reverse();
  const wanted = first.length === 0 ? `${last}` : `${first.reverse().join(', ')} or ${last}`;
  return (value) => (typeof value === 'string' && words.includes(value) ? undefined : wanted);
}

/** A whole number within limits, which are allowed. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): ValueRule {
  const wanted =
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least} on` : `a whole number from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most ? undefined : wanted;
}

/** A list in which every entry follows a rule. */
function listOf(rule: ValueRule, entries: string): ValueRule {
  return (value) =>
    Array.isArray(value) && value.every((one) => rule(one) === undefined) ? undefined : `an array of ${entries}`;
}

export const texts = listOf(text, 'texts');

const ip: ValueRule = (value) =>
  typeof value === 'string' && canonicalIp(value) !== undefined ? undefined : 'an IP address';

export const address = ip;

/** An address, or one of each family. */
export const addresses: ValueRule = (value) =>
  listOf(ip, '')(value) === undefined && isOneOfEach((value as readonly string[]).map(familyOf))
    ? undefined
    : 'an array of one IP address, or of one of each family';

/** Addresses with their prefix lengths. */
export const localAddresses: ValueRule = listOf(cidrOf, 'addresses with prefix lengths, like 10.0.0.5/24');

export const networks: ValueRule = listOf(cidrOf, 'CIDRs, like 10.244.0.0/16');

/** Networks, at most one of each family. */
const networkOfEach: ValueRule = (value) =>
  networks(value) === undefined && isOneOfEach((value as readonly string[]).map((one) => parseCidr(one)?.family))
    ? undefined
    : 'an array of one CIDR, or of one of each family';

/** What kube-proxy's clusterCIDR is: one text with a network, or with one of each family and a comma. */
export const clusterNetworks: ValueRule = (value) =>
  typeof value === 'string' && networkOfEach(splitAtCommas(value)) === undefined
    ? undefined
    : 'a CIDR, or one of each family with a comma between them';

/** Networks, or words that kube-proxy takes for some. */
export const nodePortNetworks: ValueRule = listOf(
  (value) => (typeof value === 'string' && isNodePortWord(value) ? undefined : cidrOf(value)),
  'CIDRs, or "primary"',
);

/** `A-B`; `0-0` and an empty text stand for the default. */
export const portRangeText: ValueRule = (value) =>
  typeof value === 'string' && (parsePortRange(value) !== undefined || /^(?:0-0)?$/.test(value))
    ? undefined
    : 'a range of ports, like 40000-41000';

/** `{ first, last }`. */
export const portRange: ValueRule = (value) =>
  isRecord(value) && parsePortRange(`${value.first}-${value.last}`) !== undefined
    ? undefined
    : 'a range of ports, like { first: 30000, last: 32767 }';

export const interfaceName: ValueRule = (value) =>
  typeof value === 'string' && isInterfaceName(value) ? undefined : 'a name of an interface, of at most 15 bytes';

/** kube-proxy's versions begin with 1.1. */
export const kubeVersion: ValueRule = (value) => {
  const version = typeof value === 'string' ? parseKubeVersion(value) : value;
  return isRecord(version) && typeof version.minor === 'number' && version.minor >= 1
    ? undefined
    : 'a version of kube-proxy, like 1.30 or v1.33.6, from 1.1 on';
};

function cidrOf(value: unknown): string | undefined {
  return typeof value === 'string' && isCidr(value) ? undefined : 'a CIDR';
}

function isOneOfEach(families: readonly unknown[]): boolean {
  return families.length > 0 && new Set(families).size === families.length;
}

function splitAtCommas(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
