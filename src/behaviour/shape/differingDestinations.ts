import { addTo } from '../../common/addTo.ts';
import { onDemand } from '../../common/onDemand.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { sameData } from '../../common/sameData.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import type { WalkChain, WalkRule, WalkTable } from '../../walk/input/walkInput.ts';
import type { ComparedFamily } from '../comparedPair.ts';
import { differingChains } from './differingChains.ts';
import { leavesOpen } from './leavesOpen.ts';
import { pairedTables } from './pairedTables.ts';
import { chainLedTo, type Mention } from './ruleMentions.ts';
import { isSameBase, isSameText } from './sameChains.ts';
import { sharedChains } from './sharedChains.ts';

/** Destinations for which rules of iptables are not the same on both sides. */
export interface DifferingDestinations {
  readonly addresses: ReadonlySet<Value>;
  readonly nodePorts: ReadonlySet<Value>;
}

/**
 * Undefined: packets to any destination may meet other rules. That is so if a rule for all of them differs, or asks what is
 * not known of a node; and where a rule that is the same may lead to a destination for which others differ.
 */
export function differingDestinations({ contexts, mentions }: ComparedFamily): DifferingDestinations | undefined {
  const [a, b] = contexts.map((context, side) => sideOf(context, mentions[side] ?? mentions[0] ?? []));
  if (a === undefined || b === undefined || a.rules.some((rule) => leavesOpen(rule, a.context))) return undefined;
  const differing: Found = { addresses: new Set(), nodePorts: new Set() };
  if (contexts[0] === contexts[1]) return differing;
  const tables = pairedTables(a.tables, b.tables);
  if (tables?.every((pair) => noteShared(pair, [a, b], differing)) !== true) return undefined;
  const chains = differingChains(tables);
  for (let before = -1; before !== sizeOf(differing); ) {
    before = sizeOf(differing);
    const names = chains.leadingTo(differing.addresses);
    for (const side of [a, b]) if (names.size > 0 && !noteLeading(side, names, differing)) return undefined;
  }
  return [a, b].some((side) => mayLeadTo(differing.addresses, side)) ? undefined : differing;
}

interface Found {
  readonly addresses: Set<Value>;
  readonly nodePorts: Set<Value>;
}

function sizeOf({ addresses, nodePorts }: Found): number {
  return addresses.size + nodePorts.size;
}

interface Side {
  readonly context: WalkContext;
  /** Of iptables. */
  readonly tables: readonly WalkTable[];
  /** Of all tables, in chains that belong to no one Service. */
  readonly rules: readonly WalkRule[];
  /** The only destination, or the only node port, that a rule matches. */
  readonly only: ReadonlyMap<WalkRule, Mention>;
}

function sideOf(context: WalkContext, mentions: readonly Mention[]): Side {
  const { tables } = context.input;
  return onDemand<Side>({
    context: () => context,
    tables: () => tables.filter(({ tool }) => tool === 'iptables'),
    rules: () => tables.flatMap((table) => sharedChains(table, context).flatMap((chain) => chainRules(chain, context))),
    only: () => onlyDestinations(mentions),
  });
}

function onlyDestinations(mentions: readonly Mention[]): ReadonlyMap<WalkRule, Mention> {
  const only = new Map<WalkRule, Mention>();
  for (const mention of mentions) {
    const { origin, address, port, isNodePort, isLoose } = mention;
    if (origin.kind !== 'rule' || isLoose) continue;
    const asked = address ?? (isNodePort ? port : undefined);
    if (asked !== undefined && asked.first === asked.last) only.set(origin.rule, mention);
  }
  return only;
}

/** Compares the chains that belong to no one Service; false: a rule for all destinations differs. */
function noteShared(tables: readonly [WalkTable, WalkTable], sides: readonly [Side, Side], differing: Found): boolean {
  const one = sharedByName(tables[0], sides[0]);
  const other = sharedByName(tables[1], sides[1]);
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [chain, twin] = [one.get(name), other.get(name)];
    if (chain === undefined || twin === undefined) {
      const single = chain ?? twin;
      // An empty chain does what a missing one does, which nothing can jump to.
      if (single?.base !== undefined || single?.text !== '') return false;
      continue;
    }
    if (!isSameBase(chain, twin)) return false;
    if (isSameText(chain, twin)) continue;
    const [own, others] = [partsOf(chain, sides[0]), partsOf(twin, sides[1])];
    if (!sameData(own.wide, others.wide)) return false;
    noteUnequal(own.addresses, others.addresses, differing.addresses);
    noteUnequal(own.nodePorts, others.nodePorts, differing.nodePorts);
  }
  return true;
}

function sharedByName(table: WalkTable, { context }: Side): ReadonlyMap<string, WalkChain> {
  return new Map(sharedChains(table, context).map((chain) => [chain.name, chain]));
}

interface ChainParts {
  /** Rules for all destinations. */
  readonly wide: readonly string[];
  /** Those for one, with the number of rules for all before each. */
  readonly addresses: ReadonlyMap<Value, readonly string[]>;
  readonly nodePorts: ReadonlyMap<Value, readonly string[]>;
}

function partsOf(chain: WalkChain, { context, only }: Side): ChainParts {
  const wide: string[] = [];
  const [addresses, nodePorts] = [new Map<Value, string[]>(), new Map<Value, string[]>()];
  for (const rule of chainRules(chain, context)) {
    const own = only.get(rule);
    const text = `${wide.length} ${rule.text}`;
    if (own?.address !== undefined) addTo(addresses, own.address.first, text);
    else if (own?.port !== undefined) addTo(nodePorts, own.port.first, text);
    else wide.push(rule.text);
  }
  return { wide, addresses, nodePorts };
}

function noteUnequal(
  one: ReadonlyMap<Value, readonly string[]>,
  other: ReadonlyMap<Value, readonly string[]>,
  differing: Set<Value>,
): void {
  for (const key of [...one.keys(), ...other.keys()]) if (!sameData(one.get(key), other.get(key))) differing.add(key);
}

/** Notes the destinations that rules lead into these chains; false: a rule for all of them does. */
function noteLeading({ rules, only }: Side, chains: ReadonlySet<string>, differing: Found): boolean {
  for (const rule of rules) {
    const called = chainLedTo(rule.steps);
    if (called === undefined || !chains.has(called)) continue;
    const own = only.get(rule);
    if (own?.address !== undefined) differing.addresses.add(own.address.first);
    else if (own?.port !== undefined) differing.nodePorts.add(own.port.first);
    else return false;
  }
  return true;
}

/** Something beside chains of Services may translate packets to one of the addresses. */
function mayLeadTo(addresses: ReadonlySet<Value>, { context, rules }: Side): boolean {
  if (addresses.size === 0) return false;
  const { ipvs, tables } = context.input;
  if (ipvs.length > 0 || tables.some(({ tool }) => tool === 'nft')) return true;
  return rules.some(({ steps }) =>
    steps.some((step) => {
      if (step.kind !== 'nat' || step.half !== 'destination') return false;
      const to = step.to === 'address' && step.map === undefined ? step.target.addresses : undefined;
      return to === undefined || to.first !== to.last || addresses.has(to.first);
    }),
  );
}
