import { parseIp } from '../../common/addresses/ip.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Complain } from './complain.ts';
import { quote } from './quote.ts';

/** `IP:PORT`, `[IPv6]:PORT`, or an address alone, to which kube-proxy adds its default port. */
export function checkHostPort(
  manifest: Manifest<unknown>,
  path: JsonPath,
  text: string | null | undefined,
  complain: Complain,
): void {
  if (!text || parseIp(text) !== undefined) return;
  const match = /^(?:\[([^\]]*)\]|([^:]*)):([^:]*)$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? '';
  const port = match?.[3] ?? '';
  if (match !== null && parseIp(host) !== undefined && isPort(port)) return;
  complain(manifest, { code: 'bad-address', path, message: `${quote(text)} is not an IP address and a port` });
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}
