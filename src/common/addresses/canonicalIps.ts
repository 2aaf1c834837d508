import { canonicalIp } from './ip.ts';

/** Each address once, canonical, in their order, without texts that are not addresses. */
export function canonicalIps(texts: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => canonicalIp(text ?? '') ?? []))];
}
