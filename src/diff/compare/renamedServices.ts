import type { Family } from '../../common/addresses/family.ts';
import { type RenamedChain, renamedChange } from '../../compare/renamedChain.ts';
import { mostRules } from '../../findings/explain/consequences.ts';
import type { KnownService, ServiceIndex } from '../../findings/explain/serviceIndex.ts';
import type { Finding } from '../../findings/finding.ts';
import { makeFinding } from '../../findings/makeFinding.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import { servicePortOfRule } from '../../seen/names/servicePortOfRule.ts';

/** Chains with other names than expected in one family. */
export interface RenamedChains {
  readonly family: Family;
  readonly chains: readonly RenamedChain[];
}

/**
 * Chains that have the name of another Service port and do the same: kube-proxy makes the name out of that of the Service port.
 * The others are called otherwise because another version wrote them.
 */
export function renamedServices(
  all: readonly RenamedChains[],
  indexes: ReadonlyMap<string, ServiceIndex>,
): { readonly findings: readonly Finding[]; readonly others: readonly RenamedChain[] } {
  const others: RenamedChain[] = [];
  const groups = new Map<string, Renaming>();
  for (const { family, chains } of all) {
    for (const renamed of chains) {
      const before = nftServiceName(renamed.found.name) ?? nameInComments(renamed, family);
      const now = indexes
        .get(family)
        ?.byName.get(renamed.expected.owner ?? nftServiceName(renamed.expected.name) ?? '');
      if (before === '' || now === undefined || before === now.name) {
        others.push(renamed);
        continue;
      }
      const key = `${now.name} ${before}`;
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { before, now, chains: [renamed] });
      else known.chains.push(renamed);
    }
  }
  return { findings: [...groups.values()].map(findingOf), others };
}

/** A Service port, and the name that the rules have for it. */
interface Renaming {
  readonly before: string;
  readonly now: KnownService;
  readonly chains: RenamedChain[];
}

/** `namespace/name:port` of the Service port whose chain the dump shows; empty: its rules do not name one. */
function nameInComments({ found }: RenamedChain, family: Family): string {
  for (const rule of rulesOf(found, family)) {
    const name = servicePortOfRule(rule);
    if (name !== '') return name;
  }
  return '';
}

function findingOf({ before, now, chains }: Renaming): Finding {
  const rules = chains.map(renamedChange).slice(0, mostRules);
  return makeFinding('K8N223', {
    what: `the rules are still those of ${before}`,
    service: now.name,
    places: [now.origin],
    found: rules.flatMap(({ place }) => (place === undefined ? [] : [place])),
    rules,
  });
}
