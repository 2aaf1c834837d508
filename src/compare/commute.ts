import type { Match, Rule, Word } from '../netfilter/iptables/ast.ts';
import { hasEffect } from './hasEffect.ts';
import { ruleKey } from './ruleKey.ts';

/**
 * Whether two rules of one chain may change places without any effect on packets: no packet can match both, or both do
 * the same, or neither ends the walk nor writes what the other reads.
 */
export function commute(one: Rule, other: Rule): boolean {
  if (areDisjoint(one, other)) return true;
  if (one.words.some(hasEffect) || other.words.some(hasEffect)) return false;
  if (targetText(one) === targetText(other)) return !isFlip(one);
  return (
    isHarmless(one) && isHarmless(other) && ruleKey(one) !== ruleKey(other) && !(writesMark(one) && writesMark(other))
  );
}

/** Flipping a mark twice undoes it; if each rule flips once, the order does not matter. */
function isFlip(rule: Rule): boolean {
  return rule.target?.kind === 'mark' && rule.target.operation === 'xor';
}

function targetText(rule: Rule): string {
  return JSON.stringify(rule.target ?? null);
}

/** Packets go on after it. Jumps to KUBE-MARK-MASQ and KUBE-MARK-DROP return after they set a mark. */
function isHarmless(rule: Rule): boolean {
  const { target } = rule;
  if (target === undefined || target.kind === 'mark') return true;
  return target.kind === 'jump' && (target.chain === 'KUBE-MARK-MASQ' || target.chain === 'KUBE-MARK-DROP');
}

function writesMark(rule: Rule): boolean {
  return rule.target?.kind === 'mark';
}

/** The values of some field exclude each other. */
function areDisjoint(one: Rule, other: Rule): boolean {
  for (const word of one.words) {
    if (word.kind === 'comment') continue;
    for (const against of other.words) {
      if (word.kind === against.kind && excludes(word, against)) return true;
    }
  }
  return false;
}

function excludes(a: Word, b: Word): boolean {
  switch (a.kind) {
    case 'source':
    case 'destination': {
      const other = b as typeof a;
      if (a.negated && other.negated) return false;
      if (a.negated || other.negated) return a.address === other.address;
      return isHost(a.address) && isHost(other.address) && a.address !== other.address;
    }
    case 'protocol': {
      const other = b as typeof a;
      if (a.negated && other.negated) return false;
      return a.negated || other.negated ? a.protocol === other.protocol : a.protocol !== other.protocol;
    }
    case 'inInterface':
    case 'outInterface': {
      const other = b as typeof a;
      const isPlain = !a.negated && !other.negated && !a.name.endsWith('+') && !other.name.endsWith('+');
      return isPlain && a.name !== other.name;
    }
    case 'transport': {
      const other = b as typeof a;
      if (a.destinationPortNegated || other.destinationPortNegated) return false;
      const [port, against] = [a.destinationPort, other.destinationPort];
      return port !== undefined && against !== undefined && isNumber(port) && isNumber(against) && port !== against;
    }
    case 'conntrack':
      return statesExclude(a, b as typeof a);
    case 'mark': {
      const other = b as typeof a;
      const isOpposite = (a.negated ?? false) !== (other.negated ?? false);
      return isOpposite && a.value === other.value && a.mask === other.mask;
    }
    default:
      return false;
  }
}

function statesExclude(a: Extract<Match, { kind: 'conntrack' }>, b: Extract<Match, { kind: 'conntrack' }>): boolean {
  const states = (match: typeof a) => {
    const [only, ...more] = match.options;
    if (only === undefined || more.length > 0 || only.negated || only.name !== 'ctstate') return undefined;
    return new Set<string>(only.states);
  };
  const [one, other] = [states(a), states(b)];
  // SNAT and DNAT do not exclude other states: they occur together with them.
  if (one === undefined || other === undefined || [...one, ...other].some((state) => /NAT$/.test(state))) return false;
  return ![...one].some((state) => other.has(state));
}

function isHost(address: string): boolean {
  return address.endsWith('/32') || address.endsWith('/128');
}

function isNumber(port: string): boolean {
  return /^\d+$/.test(port);
}
