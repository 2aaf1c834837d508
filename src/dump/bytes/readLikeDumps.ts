import type { Family } from '../../common/addresses/family.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { withoutCommonChains } from './chains/withoutCommonChains.ts';
import { type ExcerptLimits, longDumps } from './excerpt/excerptLimits.ts';
import { type DumpBytes, readExcerpt } from './excerpt/readExcerpt.ts';

/**
 * Two long iptables-save dumps for a comparison with each other, without the chains of Services that are identical in
 * both: no strings are made of nearly everything on a large node. Undefined: the dumps must be read one by one, because
 * it is not yet certain that these chains do not matter to the rest.
 */
export async function readLikeDumps(
  one: DumpBytes,
  other: DumpBytes,
  family: Family | undefined,
  limits: ExcerptLimits = longDumps,
): Promise<readonly [NodeRules, NodeRules] | undefined> {
  const excerpts = await withoutCommonChains(await one.bytes, other.bytes, limits);
  if (excerpts === undefined) return undefined;
  const before = readExcerpt(one, excerpts[0], family);
  const after = before && readExcerpt(other, excerpts[1], family);
  if (before === undefined || after === undefined || !areCompared(before, after)) return undefined;
  return [before, after];
}

/** Each nat table is compared with the other one. */
function areCompared(before: NodeRules, after: NodeRules): boolean {
  const [one, other] = [before, after].map(({ iptables }) => {
    const families = new Set(iptables.map(({ family }) => family));
    const nat = iptables.find(({ tables }) => tables.has('nat'));
    return families.size === iptables.length ? nat?.family : undefined;
  });
  return one !== undefined && one === other;
}
