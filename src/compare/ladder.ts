import type { Rule } from '../netfilter/iptables/ast.ts';
import { serviceChainKind } from '../netfilter/proxyChains.ts';

/** The balancing rules of a chain in total. */
export interface Ladder {
  /** Share of all packets by target, in the order in which targets first occur. */
  readonly weights: ReadonlyMap<string, number>;
  /** Places of the balancing rules in the chain. */
  readonly steps: readonly number[];
  /** The share that no rule takes. */
  readonly rest: number;
  /** Places of rules after one that always matches. */
  readonly dead: readonly number[];
  /** Targets of more than one rule. */
  readonly repeated: readonly string[];
}

/** Rules that lead to endpoints by chance alone: `p1`, `p2` …, the last one always. */
export function readLadder(rules: readonly Rule[]): Ladder {
  const weights = new Map<string, number>();
  const steps: number[] = [];
  const dead: number[] = [];
  const repeated = new Set<string>();
  let rest = 1;
  let isClosed = false;
  for (const [at, rule] of rules.entries()) {
    const probability = stepOf(rule);
    if (probability === undefined || rule.target?.kind !== 'jump') continue;
    const target = rule.target.chain;
    steps.push(at);
    if (weights.has(target)) repeated.add(target);
    if (isClosed) dead.push(at);
    const share = isClosed ? 0 : rest * probability;
    weights.set(target, (weights.get(target) ?? 0) + share);
    rest -= share;
    if (probability >= 1) isClosed = true;
  }
  return { weights, steps, rest: isClosed ? 0 : rest, dead, repeated: [...repeated] };
}

/** The probability of a balancing rule; undefined: not one. */
function stepOf(rule: Rule): number | undefined {
  if (rule.target?.kind !== 'jump' || serviceChainKind(rule.target.chain) !== 'endpoint') return undefined;
  let probability = 1;
  for (const word of rule.words) {
    if (word.kind === 'comment') continue;
    if (word.kind !== 'statistic' || word.mode !== 'random' || word.negated) return undefined;
    probability = Number(word.probability);
  }
  return Number.isFinite(probability) ? probability : undefined;
}

/** Both give every target the same share, up to the rounding of five digits. */
export function areSameLadders(one: Ladder, other: Ladder): boolean {
  if (one.weights.size !== other.weights.size || Math.abs(one.rest - other.rest) > tolerance) return false;
  if (other.dead.length > 0 || other.repeated.length > 0) return false;
  for (const [target, weight] of one.weights) {
    const against = other.weights.get(target);
    if (against === undefined || Math.abs(weight - against) > tolerance) return false;
  }
  return true;
}

export const tolerance = 1e-4;
