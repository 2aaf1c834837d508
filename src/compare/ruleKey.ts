import { ascending } from '../common/ascending.ts';
import type { MatchOption, Rule, Target, Word } from '../netfilter/iptables/ast.ts';
import { conntrackOptions } from '../netfilter/iptables/options/typedOptions.ts';
import { hasEffect } from './hasEffect.ts';

/**
 * A text that is equal for rules which do the same: it has no comments, sorts matches that only look, unifies synonyms,
 * and rounds probabilities.
 */
export function ruleKey(rule: Rule): string {
  const pure: string[] = [];
  const effects: string[] = [];
  for (const word of rule.words) {
    const text = wordKey(word, rule);
    if (text !== '') (hasEffect(word) ? effects : pure).push(text);
  }
  pure.sort();
  return `${pure.join('|')}#${effects.join('|')}#${targetKey(rule.target)}`;
}

function wordKey(word: Word, rule: Rule): string {
  switch (word.kind) {
    case 'comment':
      return '';
    case 'transport': {
      // A bare `-m tcp` after `-p tcp` adds nothing.
      const { optionsFollow, ...rest } = word;
      const isBare = Object.keys(rest).length === 2;
      return isBare && rule.words.some(({ kind }) => kind === 'protocol') ? '' : JSON.stringify(rest);
    }
    case 'statistic':
      return word.mode === 'random'
        ? `random ${word.negated ? '! ' : ''}${shareKey(Number(word.probability))}`
        : JSON.stringify(word);
    case 'conntrack':
      return `state ${optionsKey(word.options.map(conntrackOptions.write), 'ctstate')}`;
    case 'recent':
      // kube-proxy and iptables-save write the options in different orders.
      return JSON.stringify(Object.entries(word).sort(([a], [b]) => ascending(a, b)));
    case 'other':
      return word.name === 'state' ? `state ${optionsKey(word.options, 'state')}` : JSON.stringify(word);
    default:
      return JSON.stringify(word);
  }
}

function optionsKey(options: readonly MatchOption[], plain: string): string {
  return options
    .map(({ name, negated, values }) => `${negated ? '! ' : ''}${name === plain ? '' : name} ${values.join(' ')}`)
    .sort()
    .join(';');
}

/** kube-proxy through 1.16 wrote five digits, later versions ten: both stand for one of a whole number. */
function shareKey(probability: number): string {
  const parts = Math.round(1 / probability);
  return Math.abs(probability - 1 / parts) < 1e-5 && parts <= 150 ? `1/${parts}` : probability.toFixed(5);
}

function targetKey(target: Target | undefined): string {
  if (target === undefined) return '';
  if (target.kind === 'other' && target.name === 'NOTRACK') return 'notrack';
  if (target.kind === 'other' && target.name === 'CT' && target.options[0]?.name === 'notrack') return 'notrack';
  return JSON.stringify(target);
}
