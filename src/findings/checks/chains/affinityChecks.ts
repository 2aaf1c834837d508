import { escapeText } from '../../../common/text/escapeText.ts';
import { readLadder } from '../../../compare/ladder.ts';
import type { RecentMatch, Rule } from '../../../netfilter/iptables/ast.ts';
import { hasLines, placeOf } from '../../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { servicePortServed } from '../../../seen/names/servicePortServed.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/**
 * K8N304 without manifests: a rule that looks a client up comes after the one that takes everything else, or the
 * endpoint that it leads to does not remember clients. The second is checked only in a whole table.
 */
export function* affinityChecks(table: RuleTable, chain: RuleChain, set: ToolRules): Iterable<DumpFinding> {
  const [first] = pickRules(chain, set.family, { holds: ['-m recent'] });
  if (first === undefined) return;
  const rules = rulesOf(chain, set.family);
  const { steps, rest } = readLadder(rules);
  const final = rest === 0 ? (steps.at(-1) as number) : rules.length;
  const about = { table: 'nat', chain: chain.name };
  for (const [at, rule] of rules.entries()) {
    const list = listLookedUp(rule);
    if (list === undefined || rule.target?.kind !== 'jump') continue;
    const say = (seen: string): DumpFinding => {
      const service = servicePortServed(rule, chain, table, set.family);
      const parts = { ...(service !== '' && { service }), found: [placeOf(chain, at)] };
      return { finding: makeFinding('K8N304', { ...parts, what: seen }), about };
    };
    const name = escapeText(chain.name);
    if (at > final) {
      yield say(`${name} looks clients up in ${escapeText(list)} behind the rule that takes all of them`);
      continue;
    }
    const target = table.chains.get(rule.target.chain);
    if (!table.isWhole || target === undefined || !hasLines(target)) continue;
    if (!rulesOf(target, set.family).some((own) => remembers(own, list))) {
      const seen = `${name} looks clients up in ${escapeText(list)}, and ${escapeText(target.name)} never adds one to it`;
      yield { ...say(seen), about: { table: 'nat', chain: target.name } };
    }
  }
}

function listLookedUp({ words }: Rule): string | undefined {
  return words.find(
    (word): word is RecentMatch =>
      word.kind === 'recent' && !word.negated && (word.action === 'rcheck' || word.action === 'update'),
  )?.name;
}

function remembers({ words }: Rule, list: string): boolean {
  return words.some((word) => word.kind === 'recent' && word.action === 'set' && word.name === list);
}
