import type { Family } from '../../src/common/addresses/family.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { Rule } from '../../src/netfilter/iptables/ast.ts';
import { printRule } from '../../src/netfilter/iptables/print/printRule.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { rulesOf } from '../../src/node/rulesOf.ts';

/**
 * Where the rules read from `iptables -L` are others than those of iptables-save of the same kernel, as far as -L shows
 * them. Chains `R1`, `R2` … hold a rule each.
 */
export function listingProblems(save: string, listing: string, family: Family, options: string): readonly string[] {
  const expected = read('rules.save', save, family);
  const found = read('listing.txt', listing, family);
  const problems = found.unread.map(({ text, message }) => `${message}: ${text}`);
  for (const { tables } of expected.iptables) {
    for (const [name, table] of tables) {
      for (const chain of table.chains.values()) {
        if (!/^R\d/.test(chain.name)) continue;
        const same = found.iptables.flatMap((rules) => rules.tables.get(name)?.chains.get(chain.name) ?? [])[0];
        const one = rulesOf(chain, family).map((rule) => shown(printed(rule, family), options));
        const other = same === undefined ? [] : rulesOf(same, family).map((rule) => printed(rule, family));
        if (one.join('\n') !== other.join('\n')) problems.push(`${one.join('\n')}\n  is read as\n${other.join('\n')}`);
      }
    }
  }
  return problems;
}

/** Some versions list eui64 and others do not. */
function printed(rule: Rule, family: Family): string {
  return printRule(rule, 'save', family).replace(/ -m eui64/, '');
}

function read(name: string, text: string, family: Family): NodeRules {
  return readDumps([{ name, text }], { name: 'node', family });
}

/** What -L leaves out of every rule, without -v its interfaces, and the names that it gives without -n. */
function shown(rule: string, options: string): string {
  let text = rule.replace(/ --hashlimit-name \S+/, '').replace(/( --genre \S+) --ttl 0 --log 0/, '$1');
  if (!options.includes('v')) text = text.replace(/ (?:! )?-[io] \S+/g, '');
  if (options.includes('n')) return text;
  return text
    .replace('--gid-owner 5 ', '--gid-owner tty ')
    .replace('--mh-type 5 ', '--mh-type binding-update ')
    .replace('--set-tos 0x10/0x3f', '--set-tos Minimize-Delay');
}
