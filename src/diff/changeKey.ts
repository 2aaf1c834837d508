import type { RuleChange } from '../compare/ruleChange.ts';

/** What makes two changes the same. */
export function changeKey({ table, chain, expected, found, place }: RuleChange): string {
  return JSON.stringify([table, chain, expected, found, place?.line]);
}
