import type { ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import type { RuleChange } from './ruleChange.ts';

/** A chain of a Service that does the same as an expected one, and has another name. */
export interface RenamedChain {
  readonly table: string;
  readonly expected: RuleChain;
  readonly found: RuleChain;
}

/** A dump renamed to the expected names, and what was renamed. */
export interface RenamedRules {
  readonly found: ToolRules;
  readonly renamed: readonly RenamedChain[];
}

/** The lines that declare the chain. */
export function renamedChange({ table, expected, found }: RenamedChain): RuleChange {
  const place = found.declaredAt > 0 ? { place: { file: found.file, line: found.declaredAt } } : {};
  const declared = (name: string) => declaration(name, found.content);
  return {
    table,
    chain: expected.name,
    expected: declared(expected.name),
    found: declared(found.name),
    ...place,
  };
}

/** `:KUBE-SVC-… -`; in nftables mode `chain service-…`, and `set affinity-…` by its name. */
function declaration(name: string, content: RuleChain['content']): string {
  if (content === undefined) return `:${name} -`;
  return content.kind === 'nftChain' ? `chain ${name}` : name;
}
