import type { RuleChange } from '../../compare/ruleChange.ts';

/** The key by which two changes are the same. */
export function changeKey({ table, chain, expected, found, place }: RuleChange): string {
  return JSON.stringify([table, chain, expected, found, place?.line]);
}
