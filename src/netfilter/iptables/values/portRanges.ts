import type { ValueRange } from '../../../common/ranges/valueRange.ts';
import { portNumber } from './ports.ts';

/** Reads `80`, `30000:32767`, `:1024`, `http`, or a list of them; undefined: a name that is not known, or no port. */
export function portRanges(text: string): readonly ValueRange[] | undefined {
  const ranges: ValueRange[] = [];
  for (const item of text.split(',')) {
    const [from = '', to = from] = item.split(':');
    const first = from === '' ? 0 : port(from);
    const last = to === '' ? 65535 : port(to);
    if (first === undefined || last === undefined) return undefined;
    ranges.push({ first, last });
  }
  return ranges.length < 2 ? ranges : ranges.sort((one, other) => Number(one.first) - Number(other.first));
}

function port(text: string): number | undefined {
  const number = portNumber(text);
  return /^\d{1,5}$/.test(number) && Number(number) <= 65535 ? Number(number) : undefined;
}
