import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { inlinePostrouting } from './fixedRules.ts';
import { jumpRules } from './jumpRules.ts';
import type { RuleSink, TableName } from './ruleSink.ts';

/** The receiver of chains and rules for a node's tables. */
export interface FixedSink {
  readonly chain: (table: TableName | 'mangle', name: string) => void;
  readonly rule: (table: TableName, rule: Rule) => void;
}

const canary = 'KUBE-PROXY-CANARY';
const markDrop = 'KUBE-MARK-DROP';

/**
 * What a node has in addition to kube-proxy's input for iptables-restore: the jumps of the built-in chains, canary
 * chains, and KUBE-MARK-DROP, which belongs to the kubelet: with its rule if one of ours leads there, empty if
 * kube-proxy only makes sure that it exists (1.20–1.24). All forms of whole tables contain it: text as iptables-save
 * prints it, and NodeRules. `behind`: nat rules that other programs append to their chains.
 */
export function fixedChains(
  dialect: IptablesDialect,
  jumpsToMarkDrop: boolean,
  sink: FixedSink,
  behind: readonly Rule[] = [],
): void {
  const jumps = jumpRules(dialect);
  for (const { table, rule } of jumps) {
    if (rule.target?.kind === 'jump') sink.chain(table, rule.target.chain);
  }
  // Inserted one by one at the top: the last becomes the first.
  for (const { table, rule } of [...jumps].reverse()) sink.rule(table, rule);
  if (dialect.postrouting === 'inline') sink.rule('nat', inlinePostrouting);
  for (const rule of behind) sink.rule('nat', rule);
  if (dialect.hasCanary) for (const table of ['mangle', 'filter', 'nat'] as const) sink.chain(table, canary);
  if (dialect.ensuresMarkDrop || jumpsToMarkDrop) sink.chain('nat', markDrop);
  if (jumpsToMarkDrop) sink.rule('nat', kubeletsMarkDrop);
}

/** Whether the rule needs the kubelet's chain. */
export function leadsToMarkDrop({ target }: Rule): boolean {
  return target?.kind === 'jump' && target.chain === markDrop;
}

/** Whether a rule in a sink leads to the kubelet's chain. */
export function markDropWatch(rule: RuleSink['rule']): {
  readonly rule: RuleSink['rule'];
  readonly isUsed: () => boolean;
} {
  let isUsed = false;
  return {
    rule: (table, each) => {
      if (leadsToMarkDrop(each)) isUsed = true;
      rule(table, each);
    },
    isUsed: () => isUsed,
  };
}

/** The kubelet writes this rule, and iptables mode of kube-proxy before 1.25 relies on it. */
const kubeletsMarkDrop: Rule = {
  chain: markDrop,
  words: [],
  target: { kind: 'mark', operation: 'set-xmark', value: 0x8000, mask: 0x8000 },
};
