import { type Protocol, protocolsByWord } from '../common/addresses/protocol.ts';

/** A port that a user names: `80`, `80/tcp`, `53/udp` or `udp/53`, `http`, `http/tcp`, `icmp`. */
export type PortSpec =
  | { readonly kind: 'number'; readonly protocol: Protocol; readonly port: number }
  /** A container port's name: each pod may have another number. */
  | { readonly kind: 'name'; readonly protocol: Protocol; readonly name: string }
  | { readonly kind: 'icmp' };

/** TCP where no protocol is given. Undefined: no port. */
export function parsePortSpec(text: string): PortSpec | undefined {
  if (text.toLowerCase() === 'icmp') return { kind: 'icmp' };
  const parts = text.split('/');
  // `udp/53` is `53/udp` too; a port by the name of a protocol comes first.
  const isReversed = parts.length === 2 && isProtocol(parts[0]) && !isProtocol(parts[1]);
  const [name = '', protocolText = 'tcp', ...rest] = isReversed ? [...parts].reverse() : parts;
  const protocol = protocolsByWord.get(protocolText.toLowerCase());
  if (protocol === undefined || rest.length > 0) return undefined;
  if (/^[0-9]{1,5}$/.test(name)) {
    const port = Number(name);
    return port >= 1 && port <= 65535 ? { kind: 'number', protocol, port } : undefined;
  }
  return /^[a-z0-9-]*[a-z][a-z0-9-]*$/i.test(name) ? { kind: 'name', protocol, name } : undefined;
}

function isProtocol(text: string | undefined): boolean {
  return text !== undefined && protocolsByWord.has(text.toLowerCase());
}
