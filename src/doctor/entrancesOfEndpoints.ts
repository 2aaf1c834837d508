import type { Value, ValueRange } from '../common/ranges/valueRange.ts';
import { addressValue } from '../netfilter/addressRanges.ts';
import { isEndpointChain } from '../netfilter/proxyChains.ts';
import type { CatalogEntrance } from '../trace/known/ruleEntrances.ts';
import type { WalkChain, WalkInput, WalkTable } from '../walk/input/walkInput.ts';

/** Some ways in that lead to endpoints in each of these ranges. */
export function entrancesOfEndpoints(
  entrances: readonly CatalogEntrance[],
  input: WalkInput,
  ranges: readonly ValueRange[],
  most: number,
): readonly CatalogEntrance[] {
  if (ranges.length === 0) return [];
  const chains = input.tables.flatMap((table) => {
    const holders = holdersOf(table, ranges, most);
    return holders.length === 0 ? [] : [...withCallers(table, holders)];
  });
  const names = new Set(chains.map(({ name }) => name));
  const servers = input.ipvs.filter((one) =>
    one.servers.some(({ address }) => ranges.some((range) => isIn(range, address))),
  );
  const texts = new Set(servers.slice(0, most).map(({ text }) => text));
  const found = entrances.filter(({ chain }) => names.has(chain) || texts.has(chain));
  return found.slice(0, most * ranges.length);
}

/** Chains that translate to an address in one of the ranges, some for each range. */
function holdersOf(table: WalkTable, ranges: readonly ValueRange[], most: number): readonly WalkChain[] {
  const taken = ranges.map(() => 0);
  const found: WalkChain[] = [];
  let read = 0;
  for (const chain of table.chains.values()) {
    if (!isEndpointChain(chain.name) && !/^service-/.test(chain.name)) continue;
    if (chain.text === undefined) read += 1;
    if (read > mostRead) break;
    for (const address of endpointsIn(chain)) {
      const at = ranges.findIndex((range, index) => (taken[index] ?? 0) < most && isIn(range, address));
      if (at < 0) continue;
      taken[at] = (taken[at] ?? 0) + 1;
      found.push(chain);
      break;
    }
  }
  return found;
}

/** Chains of nftables mode must be read for it. */
const mostRead = 20_000;

/** Of iptables by the last word of the rule that translates, which is much sooner found than read. */
function endpointsIn(chain: WalkChain): readonly Value[] {
  if (chain.text !== undefined) {
    const target = /--to-destination (?:\[([^\]]+)\]|([\d.]+))/.exec(chain.text);
    const address = addressValue(target?.[1] ?? target?.[2] ?? '');
    return address === undefined ? [] : [address];
  }
  return chain.rules().flatMap(({ steps }) =>
    steps.flatMap((step) => {
      if (step.kind !== 'nat' || step.half !== 'destination') return [];
      if (step.map === undefined) return step.target.addresses === undefined ? [] : [step.target.addresses.first];
      if (typeof step.map.elements === 'string') return [];
      return step.map.elements.flatMap(({ value }) => (value.addresses === undefined ? [] : [value.addresses.first]));
    }),
  );
}

/** The chains, and those that lead to them. */
function withCallers(table: WalkTable, holders: readonly WalkChain[]): ReadonlySet<WalkChain> {
  const found = new Set(holders);
  let open = holders;
  while (open.length > 0 && found.size < mostCallers) {
    const names = open.map(({ name }) => name);
    open = [...table.chains.values()].filter((chain) => !found.has(chain) && leadsTo(chain, names));
    for (const chain of open) found.add(chain);
  }
  return found;
}

const mostCallers = 200;

function leadsTo(chain: WalkChain, names: readonly string[]): boolean {
  if (chain.text !== undefined) return names.some((name) => chain.text?.includes(` ${name}`));
  if (isEndpointChain(chain.name)) return false;
  return chain.rules().some(({ steps }) =>
    steps.some((step) => {
      if (step.kind === 'jump' || step.kind === 'goto') return names.includes(step.chain);
      if (step.kind !== 'verdictMap' || typeof step.map === 'string') return false;
      return step.map.some(({ value }) => value.kind !== 'verdict' && names.includes(value.chain));
    }),
  );
}

function isIn({ first, last }: ValueRange, value: Value): boolean {
  return first <= value && value <= last;
}
