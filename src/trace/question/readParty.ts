import type { Value } from '../../common/ranges/valueRange.ts';
import { partyWords } from '../../common/text/partyWords.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';

/** The sender or receiver of a packet, as the question gives it. */
export type AskedParty =
  | { readonly kind: 'address'; readonly address: Value; readonly port: number | undefined }
  /** `namespace/name`, a Pod or a Service, or only what `of` says; for a port its number or name. */
  | {
      readonly kind: 'object';
      readonly of?: 'pod' | 'service';
      readonly name: string;
      readonly port: string | undefined;
    }
  | { readonly kind: 'node'; readonly name: string | undefined; readonly port: number | undefined }
  | { readonly kind: 'outside' };

/**
 * Reads `10.0.0.1:80`, `[fd00::1]:80`, `fd00::1`, `shop/web:http`, `svc/shop/web`, `pod/web` (of the namespace default, as
 * kubectl has it), `node:80`, `node/n2`, `outside`, in any spelling of `partyWords`; undefined: none of these.
 */
export function readParty(asked: string): AskedParty | undefined {
  const text = partyWords(asked);
  if (text === 'outside') return { kind: 'outside' };
  const node = /^node(?:\/([a-z0-9.-]+))?(?::(\d{1,5}))?$/.exec(text);
  if (node !== null) return { kind: 'node', name: node[1], port: portOf(node[2]) };
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text);
  const plain = /^([\d.]+)(?::(\d{1,5}))?$/.exec(text);
  const [, ip = text, port] = bracketed ?? plain ?? [];
  const address = addressValue(ip);
  const number = portOf(port);
  if (address !== undefined)
    return port !== undefined && number === undefined ? undefined : { kind: 'address', address, port: number };
  const [, kind, rest = text] = /^(po|pods?|svc|services?)\/(.*)$/.exec(text) ?? [];
  const [, name = '', objectPort] =
    /^((?:[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9.-]*)(?::([a-z0-9-]+))?$/.exec(rest) ?? [];
  const hasNamespace = name.includes('/');
  if (name === '' || (kind === undefined && !hasNamespace)) return undefined;
  return {
    kind: 'object',
    ...(kind !== undefined && { of: kind.startsWith('po') ? 'pod' : 'service' }),
    name: hasNamespace ? name : `default/${name}`,
    port: objectPort,
  };
}

function portOf(text: string | undefined): number | undefined {
  const port = text === undefined ? Number.NaN : Number(text);
  return port <= 65535 ? port : undefined;
}
