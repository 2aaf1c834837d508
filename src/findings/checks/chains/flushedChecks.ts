import { findFirst } from '../../../common/findFirst.ts';
import { isKubeName, serviceChainKind } from '../../../netfilter/proxyChains.ts';
import { usesOf } from '../../../node/chains/chainUses.ts';
import { eachChain } from '../../../node/chains/eachChain.ts';
import { chainPlace, hasLines } from '../../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { CheckScope } from '../checkScope.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/** K8N205: fixed chains that have rules in every version were emptied, while others were not. */
export function* flushedChecks({ tables }: ToolRules, { needsCheck }: CheckScope): Iterable<DumpFinding> {
  const nat = tables.get('nat');
  const services = nat?.chains.get('KUBE-SERVICES');
  if (nat?.isWhole && services && !hasLines(services) && needsCheck('nat') && isOfServices(nat) && hasAnyRule(tables)) {
    const seen = 'KUBE-SERVICES of the table nat is empty, and the table has chains of Services: none of them answers';
    yield {
      finding: makeFinding('K8N205', { what: seen, found: chainPlace(services) }),
      about: { table: 'nat', chain: 'KUBE-SERVICES' },
    };
  }
  const filter = tables.get('filter');
  const forward = filter?.chains.get('KUBE-FORWARD');
  if (filter?.isWhole && forward && !hasLines(forward) && needsCheck('filter') && usesOf(filter).has('KUBE-FORWARD')) {
    const seen = 'FORWARD leads to KUBE-FORWARD, which is empty';
    yield {
      finding: makeFinding('K8N205', { what: seen, found: chainPlace(forward) }),
      about: { table: 'filter', chain: 'KUBE-FORWARD' },
    };
  }
}

/** The dump is not merely the result of `grep -v KUBE-SVC`. */
function isOfServices(table: RuleTable): boolean {
  const chains = eachChain(table, { kinds: (kind) => kind === 'balance' });
  return findFirst(chains, ({ name }) => serviceChainKind(name) === 'balance') !== undefined;
}

/** If none has rules anywhere, K8N212 reports it. */
function hasAnyRule(tables: ReadonlyMap<string, RuleTable>): boolean {
  const isFilled = (chain: RuleChain) => isKubeName(chain.name) && hasLines(chain);
  for (const { chains } of tables.values()) for (const chain of chains.values()) if (isFilled(chain)) return true;
  return false;
}
