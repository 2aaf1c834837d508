import { familyOf } from './ip.ts';

/** Reads `10.244.1.7:8080` or `[fd00::7]:8080`; undefined for anything else, such as a range of addresses. */
export function readIpPort(text: string): { readonly ip: string; readonly port: number } | undefined {
  const colon = text.lastIndexOf(':');
  const port = Number(text.slice(colon + 1));
  if (colon < 1 || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const host = text.slice(0, colon);
  const isBracketed = host.startsWith('[') && host.endsWith(']');
  const ip = isBracketed ? host.slice(1, -1) : host;
  const family = familyOf(ip);
  return family === undefined || (family === 'ipv6') !== isBracketed ? undefined : { ip, port };
}
