import type { Family } from '../common/addresses/family.ts';
import { memoized } from '../common/memoized.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import { canonicalIptablesRule } from '../netfilter/iptables/canonical.ts';
import { parseRule } from '../netfilter/iptables/read/parseRule.ts';
import { readSavedRule } from '../netfilter/iptables/read/readSavedRule.ts';
import { numberAt, readLines } from './lines/chainLines.ts';
import type { RuleChain } from './ruleChain.ts';

/**
 * The rules of an iptables chain in canonical form; a long chain is parsed once. A line that no tool can read becomes a
 * rule whose target is its own text, so it differs from all others.
 */
export function rulesOf(chain: RuleChain, family: Family): readonly Rule[] {
  return chain.text.length < shortText ? readRules(chain, family) : parsed[family](chain);
}

/** Parsing a few lines is nearly as fast as a lookup, and a large node has half a million such chains. */
const shortText = 2000;

const parsed: Readonly<Record<Family, (chain: RuleChain) => readonly Rule[]>> = {
  ipv4: memoized((chain) => readRules(chain, 'ipv4')),
  ipv6: memoized((chain) => readRules(chain, 'ipv6')),
};

/** The same for a caller that reads them once, or keeps what it makes of them: nothing is remembered. */
export function readRules(chain: RuleChain, family: Family): readonly Rule[] {
  return readLines(chain).map((line, at) => ruleOf(line, family, numberAt(chain, at)));
}

/** One line as a canonical rule. */
export function ruleOf(line: string, family: Family, number?: number): Rule {
  const place = number === 0 ? undefined : number;
  const saved = readSavedRule(line, family, place);
  if (saved !== undefined) return saved;
  const read = parseRule(line, place);
  if (read.kind === 'problem') {
    return { chain: '', words: [], target: { kind: 'other', name: line, options: [] } };
  }
  return canonicalIptablesRule(read.rule, family);
}

/** The chain or verdict that a line names after `-j` or `-g`; the line is not parsed. Empty: it names none. */
export function targetName(line: string): string {
  let at = line.lastIndexOf(' -j ');
  if (at === -1) at = line.lastIndexOf(' -g ');
  if (at === -1) return '';
  const end = line.indexOf(' ', at + 4);
  return end === -1 ? line.slice(at + 4) : line.slice(at + 4, end);
}
