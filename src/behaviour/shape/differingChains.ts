import { addTo } from '../../common/addTo.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';
import { isHashedServiceChain } from '../../netfilter/proxyChains.ts';
import { isOfOneService } from '../../walk/input/isOfOneService.ts';
import type { WalkTable } from '../../walk/input/walkInput.ts';
import { isSameText } from './sameChains.ts';

/** Chains of Services in iptables mode that are not the same on both sides, whatever leads to them. */
export interface DifferingChains {
  /** The names of these, of those that translate to one of the addresses, and of those that lead to any of them. */
  readonly leadingTo: (addresses: ReadonlySet<Value>) => ReadonlySet<string>;
}

/** `tables`: each with its twin. */
export function differingChains(tables: readonly (readonly [WalkTable, WalkTable])[]): DifferingChains {
  const unequal = new Set<string>();
  for (const [table, twin] of tables) {
    noteUnequal(table, twin, unequal);
    if (table.chains.size !== twin.chains.size) noteMissing(twin, table, unequal);
  }
  let links: Links | undefined;
  return {
    leadingTo: (addresses) => {
      if (unequal.size + addresses.size === 0) return unequal;
      links ??= linksOf(tables.flat());
      const { callers, translating } = links;
      const found = new Set([...unequal, ...[...addresses].flatMap((address) => translating.get(address) ?? [])]);
      for (const name of found) for (const caller of callers.get(name) ?? []) found.add(caller);
      return found;
    },
  };
}

function noteUnequal(table: WalkTable, other: WalkTable, unequal: Set<string>): void {
  for (const chain of table.chains.values()) {
    if (!isOfOneService(chain)) continue;
    const twin = other.chains.get(chain.name);
    if (twin === undefined || !isSameText(chain, twin) || unusual.test(chain.text ?? '')) unequal.add(chain.name);
  }
}

/** Matches that no chain of kube-proxy's has: what they ask for may be unknown. */
const unusual = / -m (?!(?:comment|tcp|udp|sctp|statistic|recent|conntrack|addrtype) )/;

function noteMissing(table: WalkTable, other: WalkTable, unequal: Set<string>): void {
  for (const chain of table.chains.values()) {
    if (isOfOneService(chain) && !other.chains.has(chain.name)) unequal.add(chain.name);
  }
}

interface Links {
  /** Chains of Services by the name of a chain that they lead to. */
  readonly callers: ReadonlyMap<string, readonly string[]>;
  readonly translating: ReadonlyMap<Value, readonly string[]>;
}

function linksOf(tables: readonly WalkTable[]): Links {
  const [callers, translating] = [new Map<string, string[]>(), new Map<Value, string[]>()];
  for (const { chains } of tables) {
    for (const chain of chains.values()) {
      if (!isOfOneService(chain)) continue;
      for (const [, called, v6, v4] of (chain.text ?? '').matchAll(targets)) {
        const address = addressValue(v6 ?? v4 ?? '');
        if (address !== undefined) addTo(translating, address, chain.name);
        if (called !== undefined && isHashedServiceChain(called)) addTo(callers, called, chain.name);
      }
    }
  }
  return { callers, translating };
}

/** Where lines lead, also in comments that look like that. */
const targets = / (?:-[jg] (\S+)|--to-destination (?:\[([\da-f:.]+)\]|([\d.]+)))/g;
