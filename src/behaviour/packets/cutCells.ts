import { cut, type ValueSet } from '../../common/ranges/valueSet.ts';

/** Divides each cell into what is in the part and what is not, if it has both. */
export function cutCells(cells: readonly ValueSet[], part: ValueSet): readonly ValueSet[] {
  return cells.flatMap((cell) => {
    const { inside, outside } = cut(cell, part);
    return inside.length === 0 || outside.length === 0 ? [cell] : [inside, outside];
  });
}
