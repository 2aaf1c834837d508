import { type Cidr, isCidr, parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { hasLeadingZero, type Ip, parseIp, plainIpv4Number } from '../../common/addresses/ip.ts';
import { plainIpv4Network } from '../../common/addresses/plainIpv4Network.ts';
import type { JsonPath, Origin } from '../../diagnostics/diagnostic.ts';
import type { Complain } from './complain.ts';
import { quote } from './quote.ts';

interface Subject {
  readonly origin: Origin;
}

/** Reads an address of an object, and reports an invalid or ambiguous one. */
export function checkAddress(subject: Subject, path: JsonPath, text: string, complain: Complain): Ip | undefined {
  const ip = parseIp(text);
  if (ip === undefined) {
    complain(subject, { code: 'bad-address', path, message: `${quote(text)} is not an IP address` });
  } else if (hasLeadingZero(text)) {
    complainAboutZero(subject, path, text, complain);
  }
  return ip;
}

/** As checkAddress, and refuses what can be no endpoint or external address. */
export function checkOrdinaryAddress(
  subject: Subject,
  path: JsonPath,
  text: string,
  complain: Complain,
): Ip | undefined {
  const ip = checkAddress(subject, path, text, complain);
  const special = ip === undefined ? undefined : specialRangeOf(ip);
  if (special !== undefined) {
    complain(subject, { code: 'special-address', path, message: `${quote(text)} ${special}` });
  }
  return ip;
}

/**
 * The address is of `family` and has no problem. This check comes first for large numbers of addresses, because the
 * paths of problems cost more than the check.
 */
export function isOrdinaryAddress(text: string, family: Family): boolean {
  if (family === 'ipv4') {
    const value = plainIpv4Number(text);
    return value >= 0 && specialIpv4(value) === undefined;
  }
  const ip = parseIp(text);
  return ip?.family === family && specialRangeOf(ip) === undefined && !hasLeadingZero(text);
}

/** A network without any problem; this check comes first for large numbers. */
export function isOrdinaryNetwork(text: string): boolean {
  if (plainIpv4Network(text) >= 0) return true;
  return isCidr(text) && !hasLeadingZero(text.slice(0, text.indexOf('/')));
}

/** Reads a network of an object and reports an invalid one. */
export function checkNetwork(subject: Subject, path: JsonPath, text: string, complain: Complain): Cidr | undefined {
  const network = parseCidr(text);
  if (network === undefined) {
    const isAddress = parseIp(text) !== undefined;
    complain(subject, {
      code: 'bad-network',
      path,
      message: `${quote(text)} is not a network in CIDR form`,
      ...(isAddress ? { hint: `did you mean ${text}/${text.includes(':') ? 128 : 32}?` } : {}),
    });
  } else if (hasLeadingZero(text.slice(0, text.indexOf('/')))) {
    complainAboutZero(subject, path, text, complain);
  }
  return network;
}

function complainAboutZero(subject: Subject, path: JsonPath, text: string, complain: Complain): void {
  complain(subject, {
    code: 'leading-zero-address',
    path,
    message: `${quote(text)} has a number with a leading zero; Kubernetes reads it as decimal, other programs as octal`,
  });
}

/** The range that the API takes no endpoints and external addresses from. */
function specialRangeOf(ip: Ip): string | undefined {
  if (ip.family === 'ipv4') return specialIpv4(ip.value);
  if (ip.value === 0n) return 'is the unspecified address';
  if (ip.value === 1n) return 'is the loopback address';
  const top = Number(ip.value >> 112n);
  if ((top & 0xffc0) === 0xfe80) return 'is in the link-local range fe80::/10';
  return (top & 0xff0f) === 0xff02 ? 'is in the link-local multicast range ff02::/16' : undefined;
}

function specialIpv4(value: number): string | undefined {
  if (value === 0) return 'is the unspecified address';
  if (value >>> 24 === 127) return 'is in the loopback range 127.0.0.0/8';
  if (value >>> 16 === 0xa9fe) return 'is in the link-local range 169.254.0.0/16';
  return value >>> 8 === 0xe00000 ? 'is in the link-local multicast range 224.0.0.0/24' : undefined;
}
