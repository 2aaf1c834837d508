import type { Family } from '../common/addresses/family.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import { numberAt } from './lines/chainLines.ts';
import type { RuleChain } from './ruleChain.ts';
import { ruleOf } from './rulesOf.ts';

/** A rule of a chain, and the number of its line there. */
export interface RuleAt {
  readonly rule: Rule;
  readonly at: number;
}

/** What makes a line interesting: it has one of the texts of `holds` and none of `lacks`. */
export interface Picked {
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
}

/**
 * The rules of an iptables chain that may be of interest, parsed one by one and not remembered: in a dump of half a
 * million lines, parsing all of them takes a hundred times as long as looking for a text. The caller must ask the rule
 * what the text means in it.
 */
export function* pickRules(chain: RuleChain | undefined, family: Family, { holds, lacks }: Picked): Iterable<RuleAt> {
  if (chain === undefined || (holds && !holds.some((text) => chain.text.includes(text)))) return;
  const { text } = chain;
  for (let from = 0, at = 0; from < text.length; at += 1) {
    let end = text.indexOf('\n', from);
    if (end === -1) end = text.length;
    const line = text.slice(from, end);
    from = end + 1;
    if (holds && !holds.some((part) => line.includes(part))) continue;
    if (lacks?.some((part) => line.includes(part))) continue;
    yield { rule: ruleOf(line, family, numberAt(chain, at)), at };
  }
}
