import type { WalkTable } from '../../../walk/input/walkInput.ts';
import type { StepWriter } from './stepWriter.ts';

/** Lists and sets of one Service are numbered; what was found in them is added. */
export function listName(name: string, table: WalkTable, writer: StepWriter): string {
  if (table.sets.has(name)) return setText(name, table, writer);
  return numbered(name, writer);
}

export function setText(name: string, table: WalkTable, writer: StepWriter): string {
  const set = table.sets.get(name);
  if (set === undefined || !set.isDynamic) return `@${name}`;
  const held = set.elements.map(({ key, expires }) => `${key.join(' . ')} ${expires ?? ''}`).join(',');
  return `${numbered(name, writer)} ${set.timeout ?? ''} ${held}`;
}

function numbered(name: string, { lists }: StepWriter): string {
  let number = lists.get(name);
  if (number === undefined) {
    number = lists.size;
    lists.set(name, number);
  }
  return `$L${number}`;
}
