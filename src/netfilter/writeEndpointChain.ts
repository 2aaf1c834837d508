import { writeBase32 } from '../common/base32.ts';
import { copyFewBytes } from '../common/text/textBytes.ts';
import { chainPrefixes } from './proxyChains.ts';

const prefix = chainPrefixes.endpoint;
const prefixBytes = Uint8Array.from(prefix, (letter) => letter.charCodeAt(0));
const hashLength = 16;

/** Bytes of the name of an endpoint's chain. */
export const endpointChainLength = prefix.length + hashLength;

/** Writes the name of an endpoint's chain; `seed` is what kube-proxy hashes: Service port, protocol and `ip:port`. */
export function writeEndpointChain(bytes: Uint8Array, at: number, seed: string): void {
  copyFewBytes(prefixBytes, 0, prefix.length, bytes, at);
  writeBase32(seed, hashLength, bytes, at + prefix.length);
}
