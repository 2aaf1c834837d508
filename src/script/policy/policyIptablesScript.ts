import type { Family } from '../../common/addresses/family.ts';
import type { PolicyRules } from '../../emit/policy/iptables/emitPolicyIptables.ts';
import { jumpLines, policyRestoreText } from '../../emit/policy/iptables/loadTexts.ts';
import type { PolicyLayout } from '../../emit/policy/iptables/netpolNames.ts';
import { commandsOf } from '../../netfilter/ipset/applyCommands.ts';
import { printCommand } from '../../netfilter/ipset/command.ts';
import { heredoc } from '../heredoc.ts';
import { shellPrelude } from '../shellPrelude.ts';
import { policyFunctions } from './policyFunctions.ts';

/** `rules` undefined: the node does not speak the family, and what an older run left of it goes. */
export interface PolicyScriptFamily {
  readonly family: Family;
  readonly rules: PolicyRules | undefined;
}

/**
 * A POSIX shell script that brings a node's policy chains and sets to the compiled ones. It can be run again and again,
 * tests all rules before it changes any, removes chains and sets of policies and pods that are gone, and puts the former
 * ones back if a load fails.
 */
export function* iptablesPolicyScript(families: readonly PolicyScriptFamily[], layout: PolicyLayout): Iterable<string> {
  const spoken = families.flatMap(({ family, rules }) => (rules === undefined ? [] : [{ family, rules }]));
  yield shellPrelude("Brings this node's NetworkPolicy chains and sets to the compiled rules.");
  yield policyFunctions;
  const tools = spoken.map(({ family }) => toolOf(family));
  yield `need awk ipset ${tools.map((name) => `${name} ${name}-save ${name}-restore`).join(' ')}\n\n`;
  yield 'cat >"$work/sets.want" ';
  yield* heredoc(setLines(spoken.map(({ rules }) => rules)));
  yield `families='${families.map(({ family }) => (family === 'ipv4' ? 'inet' : 'inet6')).join(' ')}'\n`;
  // Sets of kube-router's layout keep their names whatever they hold.
  const sharesSets = layout === 'kube-router';
  yield `${sharesSets ? 'shares_sets=yes\n' : ''}prepare_sets\n`;
  for (const { family, rules } of families) {
    const tool = toolOf(family);
    if (rules === undefined) {
      yield `\nprepare_gone ${tool}\n`;
      continue;
    }
    yield `\ncat >"$work/${tool}.new" `;
    yield* heredoc([policyRestoreText(rules.ruleset)]);
    yield `cat >"$work/${tool}.jumps" `;
    yield* heredoc(jumpLines(rules.ruleset));
    yield `prepare ${tool}\n`;
  }
  yield `\n${sharesSets ? 'load_aside\n' : ''}swap_sets\nload_rules\n`;
  yield `\ndone=yes\necho 'k8snet: the policies are loaded' >&2\nremove_sets\n`;
}

function toolOf(family: Family): string {
  return family === 'ipv4' ? 'iptables' : 'ip6tables';
}

function* setLines(rules: readonly PolicyRules[]): Iterable<string> {
  for (const { sets } of rules) {
    for (const command of commandsOf({ kind: 'ipset', sets })) yield `${printCommand(command)}\n`;
  }
}
