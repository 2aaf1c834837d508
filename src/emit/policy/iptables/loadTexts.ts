import { inPieces } from '../../../common/inPieces.ts';
import type { IpSet } from '../../../netfilter/ipset/ast.ts';
import { printCommand } from '../../../netfilter/ipset/command.ts';
import type { Rule, Ruleset } from '../../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../../netfilter/iptables/builtinChains.ts';
import { printRuleset } from '../../../netfilter/iptables/print/print.ts';
import { printRule } from '../../../netfilter/iptables/print/printRule.ts';
import { shortHash } from './netpolNames.ts';

/** For `iptables-restore --noflush`: our chains, flushed and filled. The jumps to them are not in it: see `jumpLines`. */
export function policyRestoreText(ruleset: Ruleset): string {
  const tables = ruleset.tables.map((table) => {
    const isOurs = (chain: string) => !builtinChains(table.name).includes(chain);
    return {
      ...table,
      chains: table.chains.filter(({ name }) => isOurs(name)),
      rules: table.rules.filter(({ chain }) => isOurs(chain)),
    };
  });
  return [...printRuleset({ ...ruleset, tables }, 'restore')].join('');
}

/** The jumps from the built-in chains, as iptables-save shows them. */
export function jumpLines(ruleset: Ruleset): readonly string[] {
  const isHook = ({ chain }: Rule) => builtinChains('filter').includes(chain);
  const hooks = ruleset.tables.flatMap(({ rules }) => rules.filter(isHook));
  return hooks.map((rule) => `${printRule(rule, 'save', ruleset.family)}\n`);
}

/**
 * For `ipset restore`, again and again: every set is filled aside and swapped in, so that no rule ever sees half of it. A
 * run that was cut off leaves a set aside that the next one uses, so its name tells what it was made for.
 */
export function* ipsetText(sets: readonly IpSet[]): Iterable<string> {
  yield* inPieces(commandLines(sets));
}

function* commandLines(sets: readonly IpSet[]): Iterable<string> {
  for (const { name, type, options, members } of sets) {
    const aside = `k8snet-np-${shortHash(JSON.stringify([name, type, options]))}`;
    yield printCommand({ kind: 'create', set: name, type, options, isExist: true });
    yield printCommand({ kind: 'create', set: aside, type, options, isExist: true });
    yield printCommand({ kind: 'flush', set: aside });
    for (const { member, options: own } of members) {
      yield printCommand({ kind: 'add', set: aside, member, options: own, isExist: true });
    }
    yield printCommand({ kind: 'swap', set: aside, other: name });
    yield printCommand({ kind: 'destroy', set: aside });
  }
}
