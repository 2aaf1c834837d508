import { canonicalIp } from './ip.ts';

/** Each address once, canonical, in their order; what is no address is left out. */
export function canonicalIps(texts: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => canonicalIp(text ?? '') ?? []))];
}
