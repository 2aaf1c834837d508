import { sharePercent } from '../trace/show/sharePercent.ts';
import type { Why } from './whyCauses.ts';

/** What the first cause applies to; if it applies to all connections, no word is needed. */
export function headOf({ verdict, failing, causes }: Why): string {
  const [first] = causes;
  // A certain cause may come before one that leaves it open.
  if (verdict === 'unknown') return !first?.isUnknown || first.what.includes('unknown') ? '' : 'Unknown: ';
  if (!causes.some(({ code }) => code === 'some-ways-only')) return '';
  return failing === undefined ? 'Some connections fail: ' : `${sharePercent(failing)} of the connections fail: `;
}
