import type { RuleTable } from '../nodeRules.ts';

/**
 * What shows that a table was cut: no kernel has rules that lead to what is missing. One missing chain may be somebody's
 * edit, and is named as such; several mean that the text is a piece. Undefined: nothing shows it.
 */
export function cutByMissing(
  { chains }: Pick<RuleTable, 'chains'>,
  what: 'chains' | 'chains and maps',
  missingNames: () => readonly string[],
): string | undefined {
  if (chains.size > checkedChains) return undefined;
  const missing = missingNames();
  const [first] = missing;
  return missing.length < 2
    ? undefined
    : `rules lead to ${missing.length} ${what} that it does not have, ${first} the first`;
}

/** Checking every rule of larger tables would take longer than reading them. */
const checkedChains = 20_000;
