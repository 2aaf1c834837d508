import { memoized } from '../../common/memoized.ts';
import { isPortmapChain } from '../../netfilter/isPortmapChain.ts';
import type { Step } from '../../netfilter/meaning.ts';
import { isHashedServiceChain } from '../../netfilter/proxyChains.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import type { WalkChain, WalkInput, WalkRule } from '../../walk/input/walkInput.ts';
import { endText } from '../../walk/values/text.ts';
import { flatConditions } from '../service/conditionsOf.ts';
import { askedOf, type CatalogEntrance, entrancesOfRule, ruleEntrances } from './ruleEntrances.ts';
import { serviceOfChain } from './serviceOfChain.ts';
import { setsOfRule } from './setsOfRule.ts';

/** Everything that rules show about Services, by what a person may start from: chains, addresses, ports, marks. */
export interface RuleCatalog {
  readonly chains: readonly CatalogChain[];
  readonly byChain: ReadonlyMap<WalkChain, CatalogChain>;
  readonly entrances: readonly CatalogEntrance[];
  /** Ports of the node that rules of the network plug-in lead to Pods, and where these listen. */
  readonly hostPorts: readonly (Omit<CatalogEntrance, 'service'> & { readonly targets: readonly string[] })[];
  readonly marks: readonly MarkUse[];
  readonly setUses: ReadonlyMap<string, readonly WalkRule[]>;
  readonly chances: readonly { readonly share: number; readonly whole: number; readonly rule: WalkRule }[];
}

export interface CatalogChain {
  readonly chain: WalkChain;
  readonly service: string | undefined;
  /** Where its DNAT rules send packets. */
  readonly targets: readonly string[];
  /** Chains that its rules lead to. */
  readonly leadsTo: readonly string[];
  readonly callers: readonly WalkRule[];
}

export interface MarkUse {
  readonly rule: WalkRule;
  readonly bits: number;
  readonly use: 'sets' | 'clears' | 'flips' | 'asks';
}

/** Made once for each input: half a million rules take a while. */
export const ruleCatalog = memoized(readCatalog);

function readCatalog(input: WalkInput): RuleCatalog {
  const chains = new Map<WalkChain, Draft>();
  const callers = new Map<WalkChain, WalkRule[]>();
  const hostPorts: RuleCatalog['hostPorts'][number][] = [];
  const marks: MarkUse[] = [];
  const setUses = new Map<string, WalkRule[]>();
  const chances: { share: number; whole: number; rule: WalkRule }[] = [];
  for (const table of input.tables) {
    for (const chain of table.chains.values()) {
      const draft: Draft = { services: [], targets: [], leadsTo: [] };
      chains.set(chain, draft);
      const isPortmap = isPortmapChain(chain.name, table.name);
      for (const rule of chain.rules()) {
        const service = servicePortInComment(rule.comment);
        if (service !== undefined) draft.services.push(service);
        const call = (to: string, isFound = true) => {
          draft.leadsTo.push(to);
          const called = table.chains.get(to);
          if (called !== undefined && isFound) listed(callers, called).push(rule);
        };
        for (const step of rule.steps) {
          noteMarks(step, rule, marks);
          if (step.kind === 'ask' && step.condition.kind === 'chance') chances.push({ ...step.condition, rule });
          if (step.kind === 'nat' && step.half === 'destination') {
            const targets = natTargets(step);
            draft.targets.push(...targets);
            const asked = isPortmap ? askedOf(rule.steps) : undefined;
            if (asked?.port !== undefined) {
              hostPorts.push({ ...asked, chain: chain.name, comment: rule.comment, rule, targets });
            }
          }
          if (step.kind === 'jump' || step.kind === 'goto') call(step.chain);
        }
        for (const name of setsOfRule(rule)) listed(setUses, name).push(rule);
        for (const entrance of entrancesOfRule(rule, input)) if (entrance.isInMap) call(entrance.chain);
      }
    }
  }
  const ownerOf = ownersOf(chains, callers);
  const list = [...chains].map(([chain, draft]): CatalogChain => {
    return {
      chain,
      service: ownerOf(chain),
      targets: draft.targets,
      leadsTo: [...new Set(draft.leadsTo)],
      callers: callers.get(chain) ?? [],
    };
  });
  const byChain = new Map(list.map((one) => [one.chain, one]));
  return { chains: list, byChain, entrances: ruleEntrances(input), hostPorts, marks, setUses, chances };
}

/**
 * The Service port that each chain belongs to. Of more than 1,000 endpoints kube-proxy leaves out the comments (since 1.12):
 * then the rules that lead to the chain say it, or those that lead to their chains.
 */
function ownersOf(
  chains: ReadonlyMap<WalkChain, Draft>,
  callers: ReadonlyMap<WalkChain, readonly WalkRule[]>,
): (chain: WalkChain) => string | undefined {
  const known = new Map<WalkChain, string | undefined>();
  const ownerOf = (chain: WalkChain): string | undefined => {
    if (known.has(chain)) return known.get(chain);
    // Whatever leads back here has no more to say.
    known.set(chain, undefined);
    const own = serviceOfChain(chain.name, () => chains.get(chain)?.services[0]);
    const owner = own ?? (isHashedServiceChain(chain.name) ? ownerAbove(chain) : undefined);
    known.set(chain, owner);
    return owner;
  };
  const ownerAbove = (chain: WalkChain): string | undefined => {
    for (const rule of callers.get(chain) ?? []) {
      const owner = servicePortInComment(rule.comment) ?? ownerOf(rule.chain);
      if (owner !== undefined) return owner;
    }
    return undefined;
  };
  return ownerOf;
}

/** Grown in place: half the rules of a large node lead to one chain. */
function listed<K, T>(lists: Map<K, T[]>, key: K): T[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}

interface Draft {
  readonly services: string[];
  readonly targets: string[];
  readonly leadsTo: string[];
}

function natTargets(step: Extract<Step, { kind: 'nat' }>): readonly string[] {
  const targets =
    step.map === undefined
      ? [step.target]
      : typeof step.map.elements === 'string'
        ? []
        : step.map.elements.map(({ value }) => value);
  return targets.flatMap(({ addresses, ports }) =>
    addresses === undefined ? [] : [endText(addresses.first, ports === undefined ? undefined : ports.first)],
  );
}

function noteMarks(step: Step, rule: WalkRule, marks: MarkUse[]): void {
  if (step.kind === 'assign' && step.target === 'mark') {
    const { keep, flip } = step;
    const changes = { sets: flip & ~keep, clears: ~flip & ~keep, flips: flip & keep } as const;
    for (const use of ['sets', 'clears', 'flips'] as const)
      if (changes[use] !== 0) marks.push({ rule, bits: changes[use] >>> 0, use });
  }
  if (step.kind !== 'ask') return;
  for (const condition of flatConditions(step.condition)) {
    const asked = condition.kind === 'not' ? condition.condition : condition;
    if (asked.kind === 'values' && asked.field === 'mark')
      marks.push({ rule, bits: Number(asked.mask ?? asked.ranges[0]?.first ?? 0), use: 'asks' });
  }
}
