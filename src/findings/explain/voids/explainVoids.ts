import type { ChainDiff } from '../../../compare/compareSets.ts';
import { chainKeyText } from '../../../node/chains/chainKey.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';
import { explainChain } from '../explainChain.ts';
import type { ServiceIndex } from '../serviceIndex.ts';

/**
 * Chains that are missing or empty, if neither a remaining jump (K8N205) nor a finding about what leads there reports
 * it. `told`: the chains of such jumps, by `chainKeyText`.
 */
export function explainVoids(
  diffs: readonly ChainDiff[],
  findings: readonly Finding[],
  indexes: ReadonlyMap<string, ServiceIndex>,
  told: ReadonlySet<string>,
): readonly Finding[] {
  const explained: Finding[] = [];
  const mentioned = new Set(findings.map(({ service }) => service));
  for (const diff of diffs) {
    if (diff.expected === undefined || diff.missing.length === 0) continue;
    const name = diff.expected.owner;
    if (told.has(chainKeyText(diff)) || mentioned.has(name)) continue;
    mentioned.add(name);
    const { findings: own } = explainChain(diff, indexes.get(diff.foundSet.family) as ServiceIndex);
    for (const { finding } of own) explained.push(finding);
    if (own.length === 0) {
      const seen = `the chain ${diff.chain} is ${diff.found === undefined ? 'missing' : 'empty'}`;
      explained.push(makeFinding('K8N204', { what: seen, ...(name !== undefined && { service: name }) }));
    }
  }
  return explained;
}
