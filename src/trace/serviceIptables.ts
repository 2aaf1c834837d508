import { escapeText } from '../common/escapeText.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import { printRule } from '../netfilter/iptables/printRule.ts';
import { isProxyChain, isServiceChain } from '../netfilter/proxyChains.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import { rulesOf } from '../node/rulesOf.ts';
import { chainOrder, type OrderedRule } from './chainOrder.ts';
import { chainSentences } from './iptablesSentences.ts';
import { servicePortInComment } from './servicePortInComment.ts';
import type { IsAsked } from './serviceText.ts';

/**
 * One Service's rules of iptables: translation, then the filter, then masquerading. Rules of IPVS mode name no Service:
 * `isOthers` says which of them are not this one's.
 */
export function* serviceIptables(
  rules: ToolRules,
  isAsked: IsAsked,
  isAnnotated: boolean,
  isOthers?: (rule: Rule) => boolean,
): Iterable<string> {
  const printed = sections.flatMap(({ table: name, hooks }) => {
    const table = rules.tables.get(name);
    const text = table === undefined ? undefined : sectionText(table, hooks, rules, isAsked, isAnnotated, isOthers);
    return text === undefined ? [] : [text];
  });
  if (!printed.some(({ isOwn }) => isOwn)) return;
  yield `# ${rules.family}, for ip${rules.family === 'ipv6' ? '6' : ''}tables-restore --noflush\n`;
  for (const { text } of printed) yield text;
}

const sections = [
  { table: 'nat', hooks: ['PREROUTING', 'OUTPUT'] },
  { table: 'filter', hooks: ['INPUT', 'FORWARD', 'OUTPUT'] },
  { table: 'nat', hooks: ['POSTROUTING'] },
] as const;

function sectionText(
  table: RuleTable,
  hooks: readonly string[],
  { family }: ToolRules,
  isAsked: IsAsked,
  isAnnotated: boolean,
  isOthers: ((rule: Rule) => boolean) | undefined,
): { readonly text: string; readonly isOwn: boolean } | undefined {
  let isOwn = false;
  const rulesIn = (name: string): readonly OrderedRule[] | undefined => {
    const chain = table.chains.get(name);
    const isHook = hooks.includes(name);
    if (chain === undefined || !(isHook || isProxyChain(name))) return undefined;
    const rules = rulesOf(chain, family);
    const sentences = isAnnotated ? chainSentences(rules, table, family) : [];
    return rules.flatMap((rule, at) => {
      const service = servicePortInComment(commentOf(rule));
      const to = rule.target?.kind === 'jump' ? rule.target.chain : undefined;
      // Rules of hooks that lead elsewhere, and other Services' rules, are not this Service's.
      if (isHook && (to === undefined || !isProxyChain(to))) return [];
      if (service !== undefined && !isServiceChain(name) && !isAsked(service)) return [];
      if (isOthers?.(rule) === true) return [];
      if (service !== undefined || isOthers !== undefined) isOwn = true;
      const calls = to !== undefined && isProxyChain(to) ? [to] : [];
      return [{ text: printRule(rule, 'save', family), calls, sentence: escapeText(sentences[at] ?? '') }];
    });
  };
  const chains = chainOrder(hooks, rulesIn);
  if (chains.length === 0) return undefined;
  const declared = chains.filter(({ name }) => !hooks.includes(name)).map(({ name }) => `:${name} - [0:0]\n`);
  const lines = chains.flatMap(({ rules }) =>
    rules.map(({ text, sentence }) => (isAnnotated ? `# ${sentence}\n${text}\n` : `${text}\n`)),
  );
  return { text: `*${table.name}\n${declared.join('')}${lines.join('')}COMMIT\n`, isOwn };
}

function commentOf({ words }: Rule): string | undefined {
  for (const word of words) if (word.kind === 'comment') return word.text;
  return undefined;
}
