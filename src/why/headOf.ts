import { sharePercent } from '../trace/show/sharePercent.ts';
import type { Why } from './whyCauses.ts';

/** What the first cause is the cause of: all connections need no word. */
export function headOf({ verdict, failing, causes }: Why): string {
  const [first] = causes;
  // A cause that holds for certain may stand before that which leaves it open.
  if (verdict === 'unknown') return !first?.isUnknown || first.sentence.includes('unknown') ? '' : 'Unknown: ';
  if (!causes.some(({ id }) => id === 'some-ways-only')) return '';
  return failing === undefined ? 'Some connections fail: ' : `${sharePercent(failing)} of the connections fail: `;
}
