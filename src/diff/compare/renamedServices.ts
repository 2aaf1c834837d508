import type { Family } from '../../common/addresses/family.ts';
import { addTo } from '../../common/addTo.ts';
import { type RenamedChain, renamedChange } from '../../compare/compareByRole.ts';
import { mostRules } from '../../findings/explain/consequences.ts';
import type { ServiceIndex } from '../../findings/explain/serviceIndex.ts';
import type { Finding } from '../../findings/finding.ts';
import { makeFinding } from '../../findings/makeFinding.ts';
import { rulesOf } from '../../node/rulesOf.ts';
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
  const named = new Map<string, Map<string, RenamedChain[]>>();
  for (const { family, chains } of all) {
    for (const renamed of chains) {
      const before = nameInComments(renamed, family);
      const now = renamed.expected.owner;
      if (before === '' || now === undefined || before === now) {
        others.push(renamed);
        continue;
      }
      const own = named.get(now) ?? new Map<string, RenamedChain[]>();
      named.set(now, own);
      addTo(own, before, renamed);
    }
  }
  const known = [...indexes.values()];
  const findings = [...named].flatMap(([now, own]) =>
    [...own].map(([before, chains]) => {
      const origin = known.map(({ byName }) => byName.get(now)).find((service) => service !== undefined)?.origin;
      return findingOf(now, before, chains, origin === undefined ? [] : [origin]);
    }),
  );
  return { findings, others };
}

/** `namespace/name:port` of the Service port whose chain the dump shows; empty: its rules do not name one. */
function nameInComments({ found }: RenamedChain, family: Family): string {
  for (const rule of rulesOf(found, family)) {
    const name = servicePortOfRule(rule);
    if (name !== '') return name;
  }
  return '';
}

function findingOf(
  service: string,
  before: string,
  chains: readonly RenamedChain[],
  places: Finding['places'],
): Finding {
  const rules = chains.map(renamedChange).slice(0, mostRules);
  return makeFinding('K8N223', {
    what: `the rules are still those of ${before}`,
    service,
    places,
    found: rules.flatMap(({ place }) => (place === undefined ? [] : [place])),
    rules,
  });
}
