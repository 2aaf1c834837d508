import type { Family } from '../../../common/family.ts';
import type { IpSet, IpsetCommand } from '../../../netfilter/ipset/ast.ts';
import { printCommand } from '../../../netfilter/ipset/command.ts';
import type { Rule, Ruleset } from '../../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../../netfilter/iptables/builtinChains.ts';
import { printRuleset } from '../../../netfilter/iptables/print.ts';
import { printRule } from '../../../netfilter/iptables/printRule.ts';

/** For `iptables-restore --noflush`: our chains, flushed and filled. The jumps to them are not in it: see `hookCommands`. */
export function restoreText(ruleset: Ruleset): string {
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

/** Shell commands that put our jumps first in the built-in chains, and leave alone what is there already. */
export function hookCommands(ruleset: Ruleset): readonly string[] {
  const tool = ruleset.family === 'ipv4' ? 'iptables -w' : 'ip6tables -w';
  const isHook = ({ chain }: Rule) => builtinChains('filter').includes(chain);
  return ruleset.tables
    .flatMap(({ rules }) => rules.filter(isHook))
    .map((rule) => {
      const spec = printRule(rule, 'restore', ruleset.family).slice('-A '.length);
      const [chain = '', ...words] = spec.split(' ');
      return `${tool} -C ${spec} 2>/dev/null || ${tool} -I ${chain} 1 ${words.join(' ')}`;
    });
}

/** For `ipset restore`: every set is filled aside and swapped in, so that no rule ever sees half of it. */
export function ipsetText(sets: readonly IpSet[]): string {
  const commands = sets.flatMap(({ name, type, options, members }): IpsetCommand[] => [
    { kind: 'create', set: name, type, options, isExist: true },
    { kind: 'create', set: aside, type, options },
    ...members.map(
      ({ member, options: own }) => ({ kind: 'add', set: aside, member, options: own, isExist: true }) as const,
    ),
    { kind: 'swap', set: aside, other: name },
    { kind: 'destroy', set: aside },
  ]);
  return commands.map((command) => `${printCommand(command)}\n`).join('');
}

const aside = 'k8snet-netpol-new';

/** A shell script that loads all of it: sets, then chains, then the jumps. It stops at the first failure. */
export function applyScript(ipset: string, rulesets: readonly Ruleset[]): string {
  const lines = [
    '#!/bin/sh',
    'set -eu',
    `ipset destroy ${aside} 2>/dev/null || true`,
    hereDocument('ipset restore', ipset),
  ];
  for (const ruleset of rulesets) {
    lines.push(hereDocument(`${tools[ruleset.family]}-restore -w --noflush`, restoreText(ruleset)));
    for (const command of hookCommands(ruleset)) lines.push(command);
  }
  return `${lines.join('\n')}\n`;
}

const tools: Readonly<Record<Family, string>> = { ipv4: 'iptables', ipv6: 'ip6tables' };

/** A command with its input. No line of ours is the mark: each begins with a word of its tool. */
export function hereDocument(command: string, text: string): string {
  return `${command} <<'K8SNET_END'\n${text}K8SNET_END`;
}
