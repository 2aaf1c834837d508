import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import { addTo } from '../../common/addTo.ts';
import type { IptablesPolicies } from '../../compare/iptablesPolicies.ts';
import type { Direction } from '../../model/netPolicy.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { commentOf, jumpOf, matchOf } from '../../netfilter/iptables/ruleParts.ts';
import { policyChainKind, policyHooks, withoutPartHashes } from '../../netfilter/policyParts.ts';
import { eachPartNamed } from '../../node/ledTo.ts';
import { nftElementsOf } from '../../node/nftItems.ts';
import type { RuleTable } from '../../node/nodeRules.ts';

/** Where rules judge the connections of one address of a Pod in one direction. */
export interface PolicyGate {
  readonly address: string;
  readonly direction: Direction;
  /** The chain that judges them, by its name in the rules. */
  readonly chain: string;
  /** The Pod (`namespace/name`), as a comment names it. */
  readonly pod: string | undefined;
}

/** The gates that rules of one family have, by `gateKey`. */
export interface PolicyGates {
  readonly gates: ReadonlyMap<string, PolicyGate>;
  /** The gates whose way leads through a chain, or asks a set: by its name in the rules; in nft `set NAME`. */
  readonly gatesOf: (part: string) => readonly string[];
  /** A packet may get to the chain, or be looked up in the set. */
  readonly isReached: (part: string) => boolean;
}

export function gateKey({ address, direction }: Pick<PolicyGate, 'address' | 'direction'>): string {
  return `${direction} ${address}`;
}

/** Of iptables, in either layout: the jumps to the chains of Pods from the hook of forwarded packets. */
export function iptablesGates({ rules }: Pick<IptablesPolicies, 'rules'>): PolicyGates {
  const gates: PolicyGate[] = [];
  const named = new Map<string, string[]>();
  for (const { rule } of rules) {
    const jump = jumpOf(rule);
    for (const word of rule.words) if (word.kind === 'set') addTo(named, rule.chain, word.set);
    if (jump === undefined) continue;
    addTo(named, rule.chain, jump);
    if (rule.chain !== policyHooks.FORWARD || policyChainKind(jump) !== 'pod') continue;
    // `shop/web-1 in`
    const pod = commentOf(rule)?.split(' ', 1)[0];
    for (const [kind, direction] of sides) {
      const asked = matchOf(rule, kind);
      if (asked !== undefined && asked.negated !== true)
        gates.push({ address: hostOfCidr(asked.address), direction, chain: jump, pod });
    }
  }
  const namedIn = (chain: string) => named.get(chain) ?? [];
  const reached = partsFrom([...builtinChains('filter'), ...Object.values(policyHooks)], namedIn);
  return { ...gatesWithParts(gates, namedIn), isReached: (part) => reached.has(part) };
}

const sides = [
  ['destination', 'ingress'],
  ['source', 'egress'],
] as const;

/** Of our table of nftables: the elements of the maps of Pods. */
export function nftGates({ chains }: RuleTable): PolicyGates {
  const gates: PolicyGate[] = [];
  for (const map of chains.values()) {
    const direction = directionsOfMaps.get(withoutPartHashes(map.name));
    if (direction === undefined) continue;
    for (const { item } of nftElementsOf(map)) {
      const { key, verdict, comment } = item;
      const [address] = key;
      if (address === undefined || verdict === undefined || !('chain' in verdict)) continue;
      gates.push({ address, direction, chain: verdict.chain, pod: comment });
    }
  }
  const namedIn = (chain: string) => {
    const named: string[] = [];
    eachPartNamed(chains.get(chain)?.text ?? '', (name, isSet) => {
      if (isSet) named.push(`set ${name}`, `map ${name}`);
      else named.push(name);
    });
    return named;
  };
  // The table was read without what no hook leads to.
  return { ...gatesWithParts(gates, namedIn), isReached: (part) => chains.has(part) };
}

const directionsOfMaps: ReadonlyMap<string, Direction> = new Map([
  ['map ingress-pods', 'ingress'],
  ['map egress-pods', 'egress'],
]);

function gatesWithParts(
  all: readonly PolicyGate[],
  namedIn: (chain: string) => readonly string[],
): Omit<PolicyGates, 'isReached'> {
  // Of two gates of one address the first decides.
  const gates = new Map<string, PolicyGate>();
  for (const gate of all) if (!gates.has(gateKey(gate))) gates.set(gateKey(gate), gate);
  const keys = new Map<string, string[]>();
  for (const [key, { chain }] of gates) {
    for (const part of partsFrom([chain], namedIn)) addTo(keys, part, key);
  }
  return { gates, gatesOf: (part) => keys.get(part) ?? [] };
}

/** Chains, what their rules name, and so on. */
function partsFrom(chains: readonly string[], namedIn: (chain: string) => readonly string[]): ReadonlySet<string> {
  const parts = new Set(chains);
  // Iterating over a Set also reaches what is added on the way.
  for (const part of parts) for (const name of namedIn(part)) parts.add(name);
  return parts;
}
