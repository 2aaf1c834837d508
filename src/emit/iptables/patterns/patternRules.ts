import type { RuleSink } from '../ruleSink.ts';
import type { PatternWords, RulePattern } from './rulePattern.ts';

/** Where rules of one pattern in nat go: to the sink's receiver of patterns, or one by one as rules. */
export function patternRules(sink: RuleSink, key: string, make: RulePattern): (words: PatternWords) => void {
  return sink.pattern?.('nat', key, make) ?? ((words) => sink.rule('nat', make(words)));
}
