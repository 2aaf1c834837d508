import { compareBytes } from '../common/compareBytes.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';

/** Says in one note which objects were not read, and counts them by kind. */
export function reportSkippedKinds(
  skipped: readonly SourceObject[],
  isAboutRules: boolean,
  report: Report,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of skipped) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].sort(([a], [b]) => compareBytes(a, b));
  const [first] = skipped;
  if (first !== undefined) {
    const shown = kinds.slice(0, mostKinds).map(([kind, count]) => {
      const name = kind.length > longestKind ? `${kind.slice(0, longestKind)}…` : kind;
      return count === 1 ? name : `${name} (${count})`;
    });
    const rest = kinds.length > mostKinds ? `, and ${kinds.length - mostKinds} more` : '';
    const isOne = skipped.length === 1;
    const why = isAboutRules ? `${isOne ? 'gives' : 'give'} no rules` : `${isOne ? 'is' : 'are'} not read`;
    const objects = `${isOne ? '1 object of a kind' : `${skipped.length} objects of kinds`} that ${why}`;
    report({
      code: 'skipped-kinds',
      severity: 'note',
      message: `skipped ${objects}: ${shown.join(', ')}${rest}`,
      at: isOne ? [{ ...first.origin, path: [...first.origin.path, 'kind'] }] : [],
    });
  }
  return new Map(kinds);
}

const mostKinds = 30;
const longestKind = 63;
