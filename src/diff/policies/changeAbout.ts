import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Direction } from '../../model/netPolicy.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { localPodsSet, policyChainKind, policyNftParts, withoutPartHashes } from '../../netfilter/policyParts.ts';
import type { PolicyGate, PolicyGates } from './policyGates.ts';

type End = Pick<PolicyGate, 'address' | 'direction'>;

/**
 * What a differing rule of policies is about. `gates`: it judges the connections of these. `entry`: it stands where packets
 * come in, and may lead to these. `hook`: without it nothing from this chain comes to the rules of policies. `unused`: no
 * packet gets there.
 */
export type ChangeAbout =
  | { readonly kind: 'gates' | 'entry'; readonly gates: readonly End[] }
  | { readonly kind: 'hook'; readonly chain: string }
  | { readonly kind: 'unused' };

/** Both sides. */
type Sides = readonly [expected: PolicyGates, found: PolicyGates];

const nothingKnown: ChangeAbout = { kind: 'entry', gates: [] };

/** Of iptables. `chainsOf`: the chains of a role, or that ask a set of that role. */
export function aboutIptables(
  change: RuleChange,
  sides: Sides,
  chainsOf: (role: string) => readonly string[],
): ChangeAbout {
  const { table, chain, expected } = change;
  if (table !== 'ipset' && builtinChains(table).includes(chain))
    return expected === undefined || change.isMoved ? nothingKnown : { kind: 'hook', chain };
  if (policyChainKind(chain) === 'hook') return { kind: 'entry', gates: addressesIn(change) };
  return chain === localPodsSet ? nothingKnown : aboutParts(chainsOf(chain), change, sides);
}

/** Of our table of nftables. */
export function aboutNft(change: RuleChange, sides: Sides): ChangeAbout {
  const { chain, expected, found } = change;
  const part = withoutPartHashes(chain);
  const [, name] = part.split(' ', 2);
  if (isPart(name ?? part)) {
    // `10.244.1.6 : jump in-50a4389c42bc73d19ea1`, `10.244.1.6 . 10.244.1.6`
    const address = (expected ?? found ?? '').split(' ', 1)[0];
    const directions = directionsOf(part);
    return address === undefined || directions === undefined
      ? nothingKnown
      : { kind: 'gates', gates: directions.map((direction) => ({ address, direction })) };
  }
  if (!part.startsWith('set ') && !part.startsWith('map ') && !chain.startsWith('in-') && !chain.startsWith('eg-'))
    return expected?.includes(' vmap @') === true && !change.isMoved ? { kind: 'hook', chain } : nothingKnown;
  return aboutParts([chain], change, sides);
}

function isPart(name: string): boolean {
  return policyNftParts.some((part) => part === name);
}

function directionsOf(part: string): readonly Direction[] | undefined {
  switch (part) {
    case 'map ingress-pods':
      return ['ingress'];
    case 'map egress-pods':
      return ['egress'];
    case 'set self':
      return ['ingress', 'egress'];
    default:
      return undefined;
  }
}

/** Chains and sets that rules of gates lead to. */
function aboutParts(parts: readonly string[], { expected }: RuleChange, sides: Sides): ChangeAbout {
  const gates = new Map<string, End>();
  for (const side of sides) {
    for (const key of parts.flatMap((part) => side.gatesOf(part))) {
      const gate = side.gates.get(key);
      if (gate !== undefined) gates.set(key, gate);
    }
  }
  if (gates.size > 0) return { kind: 'gates', gates: [...gates.values()] };
  const own = expected === undefined ? sides[1] : sides[0];
  return parts.some((part) => own.isReached(part)) ? nothingKnown : { kind: 'unused' };
}

/** The addresses that a rule asks for, in both directions: a Pod's chain judges both. */
function addressesIn({ expected, found }: RuleChange): readonly End[] {
  const words = (expected ?? found ?? '').split(' ');
  return words.flatMap((word, at) => {
    if (word !== '-s' && word !== '-d') return [];
    const address = hostOfCidr(words[at + 1] ?? '');
    return (['ingress', 'egress'] as const).map((direction) => ({ address, direction }));
  });
}
