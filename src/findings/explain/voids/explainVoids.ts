import type { ChainDiff } from '../../../compare/compareSets.ts';
import { isUsed } from '../../../node/chains/chainUses.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';
import { explainChain } from '../explainChain.ts';
import type { ServiceIndex } from '../serviceIndex.ts';

/**
 * Chains that are missing or empty, if neither a remaining jump (K8N205) nor a finding about what leads there reports
 * it.
 */
export function explainVoids(
  diffs: readonly ChainDiff[],
  findings: readonly Finding[],
  indexes: ReadonlyMap<string, ServiceIndex>,
): readonly Finding[] {
  const explained: Finding[] = [];
  const mentioned = new Set(findings.map(({ service }) => service));
  for (const diff of diffs) {
    if (diff.expected === undefined || diff.missing.length === 0) continue;
    const name = diff.expected.owner;
    const nat = diff.foundSet.tables.get('nat');
    if ((nat !== undefined && isUsed(nat, diff.chain)) || mentioned.has(name)) continue;
    mentioned.add(name);
    const { findings: own } = explainChain(diff, indexes.get(diff.foundSet.family) as ServiceIndex);
    for (const { finding } of own) explained.push(finding);
    if (own.length === 0) {
      const seen = `the chain ${diff.chain} is missing`;
      explained.push(makeFinding('K8N204', { what: seen, ...(name !== undefined && { service: name }) }));
    }
  }
  return explained;
}
