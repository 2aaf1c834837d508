import type { Family } from '../../../common/addresses/family.ts';
import type { HeaderWord, Rule, Word } from '../ast.ts';
import { canonicalIptablesRule, isHeader } from '../canonical.ts';
import { printMatch } from '../matches.ts';
import type { IptablesSpelling } from '../matchKind.ts';
import { printTransportOptions } from '../options/transportMatch.ts';
import { printTarget } from '../targets.ts';
import { bareWord } from './quote.ts';

/**
 * One rule as a line, without its newline. `restore`: the words in the order in which they were written, as kube-proxy
 * feeds them to iptables-restore, counters in front if there are any. `save`: what iptables-save prints once the rule is
 * loaded, without counters.
 */
export function printRule(rule: Rule, spelling: IptablesSpelling, family: Family): string {
  return spelling === 'save' ? printSaved(canonicalIptablesRule(rule, family)) : printWritten(rule);
}

function printSaved(rule: Rule): string {
  let text = `-A ${bareWord(rule.chain)}`;
  for (const word of rule.words) {
    text += isHeader(word) ? printHeader(word) : printMatch(word, 'save');
  }
  return rule.target ? text + printTarget(rule.target, 'save') : text;
}

function printWritten(rule: Rule): string {
  const { words } = rule;
  let text = rule.counters === undefined ? `-A ${bareWord(rule.chain)}` : `${rule.counters} -A ${bareWord(rule.chain)}`;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    if (isHeader(word)) {
      text += printHeader(word);
    } else if (word.kind === 'transport') {
      // kube-proxy writes `-m tcp -p tcp -d 10.0.0.1 --dport 80`: the options of the match behind the header words.
      text += ` -m ${word.protocol}`;
      for (let next = words[at + 1]; next && precedesOptions(next, word.optionsFollow); next = words[at + 1]) {
        text += printHeader(next);
        at += 1;
      }
      text += printTransportOptions(word, 'restore');
    } else {
      text += printMatch(word, 'restore');
    }
  }
  return rule.target ? text + printTarget(rule.target, 'restore') : text;
}

function precedesOptions(word: Word, last: 'protocol' | undefined): word is HeaderWord {
  return word.kind === 'protocol' || (word.kind === 'destination' && last !== 'protocol');
}

function printHeader(word: HeaderWord): string {
  const not = word.negated ? ' !' : '';
  switch (word.kind) {
    case 'source':
      return `${not} -s ${bareWord(word.address)}`;
    case 'destination':
      return `${not} -d ${bareWord(word.address)}`;
    case 'inInterface':
      return `${not} -i ${bareWord(word.name)}`;
    case 'outInterface':
      return `${not} -o ${bareWord(word.name)}`;
    case 'protocol':
      return `${not} -p ${bareWord(word.protocol)}`;
    case 'fragment':
      return `${not} -f`;
  }
}
