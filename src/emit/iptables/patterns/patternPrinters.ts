import type { Family } from '../../../common/addresses/family.ts';
import { printRule } from '../../../netfilter/iptables/print/printRule.ts';
import type { RuleSink } from '../ruleSink.ts';
import { patternPrinter, plainAddresses } from './patternPrinter.ts';
import type { PatternWords } from './rulePattern.ts';

/** Receives the patterns for a sink that prints: each is prepared once; its lines go to `push` with their chain. */
export function patternPrinters(
  spelling: 'restore' | 'save',
  family: Family,
  push: (chain: string, line: string) => void,
): NonNullable<RuleSink['pattern']> {
  const isPlain = plainAddresses(spelling, family);
  const known = new Map<string, (words: PatternWords) => void>();
  return (table, key, make) => {
    const name = `${table} ${key}`;
    let write = known.get(name);
    if (write === undefined) {
      const print = patternPrinter(make, spelling, family, isPlain);
      write = (words) => push(words.chain, print?.(words) ?? printRule(make(words), spelling, family));
      known.set(name, write);
    }
    return write;
  };
}
