import type { NftRule } from './ast.ts';

/** The rule without its handle, which is the kernel's alone: a usual rule has none. */
export function withoutHandle(rule: NftRule): NftRule {
  if (rule.handle === undefined) return rule;
  const { handle: _, ...rest } = rule;
  return rest;
}
