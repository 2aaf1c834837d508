import type { Family } from '../../common/addresses/family.ts';
import type { Rule, Target, Word } from '../../netfilter/iptables/ast.ts';
import { printMatch } from '../../netfilter/iptables/matches.ts';
import { endpointOf } from '../../node/endpointOf.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { type Fraction, fraction, one, times } from '../../walk/values/fraction.ts';
import { sharePercent } from '../show/sharePercent.ts';

/** What each rule of a chain does, a whole sentence each. */
export function chainSentences(rules: readonly Rule[], table: RuleTable, family: Family): readonly string[] {
  let left: Fraction = one;
  const isBalancing = rules.some(({ words }) => words.some(({ kind }) => kind === 'statistic'));
  return rules.map((rule) => {
    const endpoint = rule.target?.kind === 'jump' ? endpointOf(table.chains.get(rule.target.chain), family) : undefined;
    const recent = rule.words.find((word) => word.kind === 'recent');
    if (endpoint !== undefined && recent?.kind === 'recent' && recent.action !== 'set') {
      const seconds = recent.seconds === undefined ? '' : ` within the last ${recent.seconds} seconds`;
      return `Clients that ${endpoint} served${seconds} go to it again (session affinity).`;
    }
    const chance = chanceOf(rule);
    if (endpoint === undefined || !(isBalancing || chance !== undefined)) return plainSentence(rule, endpoint);
    const share = chance === undefined ? left : times(left, chance);
    if (chance !== undefined) left = times(left, { num: chance.den - chance.num, den: chance.den });
    return `${endpoint} gets ${sharePercent(share)} of the connections that this chain balances.`;
  });
}

/** `--probability` counts in 2^-31: what it rounds is 1/n. */
function chanceOf({ words }: Rule): Fraction | undefined {
  for (const word of words) {
    if (word.kind !== 'statistic') continue;
    const value = word.mode === 'nth' ? 1 / word.every : Number(word.probability);
    const parts = Math.round(1 / value);
    const isPart = parts >= 1 && Number.isSafeInteger(parts) && Math.abs(value - 1 / parts) < 1e-5 / parts + 2 ** -31;
    const taken = isPart ? fraction(1, parts) : fraction(Math.round(value * 2 ** 31), 2 ** 31);
    return word.negated ? { num: taken.den - taken.num, den: taken.den } : taken;
  }
  return undefined;
}

function plainSentence({ chain, words, target }: Rule, endpoint: string | undefined): string {
  const conditions = words.flatMap((word) => conditionText(word) ?? []);
  const who = conditions.length === 0 ? 'All packets that get here' : `Packets ${conditions.join(', ')}`;
  const isRemembered = words.some((word) => word.kind === 'recent' && word.action === 'set');
  const also = isRemembered ? '; the client is remembered for session affinity' : '';
  return `${who} ${targetText(target, chain, endpoint)}${also}.`;
}

function conditionText(word: Word): string | undefined {
  const not = 'negated' in word && word.negated === true;
  switch (word.kind) {
    case 'comment':
      return undefined;
    case 'source':
      return `${not ? 'not ' : ''}from ${word.address}`;
    case 'destination':
      return `${not ? 'not ' : ''}to ${word.address}`;
    case 'protocol':
      return `${not ? 'not ' : ''}of ${word.protocol}`;
    case 'transport':
      if (Object.keys(word).length === 2) return undefined;
      return word.destinationPort === undefined || word.sourcePort !== undefined || word.options !== undefined
        ? written(word)
        : `${word.destinationPortNegated ? 'not ' : ''}to port ${word.destinationPort}`;
    case 'mark':
      return `${not ? 'without' : 'with'} the mark 0x${word.value.toString(16)}`;
    case 'addrtype':
      return word.options
        .map((option) => {
          const isNot = option.negated ? 'not ' : '';
          if (!('types' in option)) return written(word);
          if (option.types.join() !== 'LOCAL') return `${isNot}${option.name} ${option.types.join(' or ')}`;
          return option.name === 'src-type' ? `${isNot}from this node itself` : `${isNot}to an address of this node`;
        })
        .join(', ');
    case 'conntrack':
      return word.options
        .map((option) => {
          if (!('states' in option)) return written(word);
          return `${option.negated ? 'not ' : ''}of ${option.states.join(' or ')} connections`;
        })
        .join(', ');
    case 'recent':
      return word.action === 'set' ? undefined : written(word);
    case 'inInterface':
      return `${not ? 'not ' : ''}in by ${word.name}`;
    case 'outInterface':
      return `${not ? 'not ' : ''}out by ${word.name}`;
    case 'fragment':
      return not ? 'that are no later fragments' : 'that are later fragments';
    default:
      return written(word);
  }
}

/** A match that needs its own words. */
function written(
  word: Exclude<Word, { kind: 'source' | 'destination' | 'inInterface' | 'outInterface' | 'protocol' | 'fragment' }>,
): string {
  return `that match \`${printMatch(word, 'save').trim()}\``;
}

function targetText(target: Target | undefined, chain: string, endpoint: string | undefined): string {
  switch (target?.kind) {
    case undefined:
      return 'are counted only, and go on with the next rule';
    case 'jump':
      return jumpText(target.chain, endpoint);
    case 'reject':
      return `are refused${target.with === undefined ? '' : ` (${target.with})`}`;
    case 'mark':
      if (target.operation === 'set-xmark' && target.mask === 0) return `lose the mark 0x${target.value.toString(16)}`;
      return `get the mark 0x${target.value.toString(16)}${chain === 'KUBE-MARK-MASQ' ? ', by which they are masqueraded' : ''}`;
    case 'masquerade':
      return "leave with this node's address as their source";
    case 'dnat':
      return `go to the endpoint ${target.to}`;
    case 'snat':
      return `leave with the source ${target.to}`;
    case 'other':
      return `meet the target ${target.name}`;
  }
}

function jumpText(chain: string, endpoint: string | undefined): string {
  if (chain === 'KUBE-MARK-MASQ') return 'are marked for masquerading';
  if (chain === 'KUBE-MARK-DROP') return 'are marked to be dropped';
  if (chain === 'ACCEPT') return 'pass';
  if (chain === 'DROP') return 'are dropped';
  if (chain === 'RETURN') return 'leave this chain';
  return endpoint === undefined ? `go through ${chain}` : `go to the endpoint ${endpoint}`;
}
