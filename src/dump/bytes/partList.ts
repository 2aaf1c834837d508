/** Places and parts in turn: a part is a chain's number twice, and 1 more for its rules than for its declaration. */
export interface PartList {
  readonly list: Int32Array;
  count: number;
  isOverfull: boolean;
}

/** Of each chain there are a declaration and rules; more of them are of no use, and the text is not plain. */
export function partList(chains: number): PartList {
  return { list: new Int32Array(4 * chains), count: 0, isOverfull: false };
}

export function addPart(parts: PartList, place: number, part: number): void {
  if (2 * parts.count + 2 > parts.list.length) {
    parts.isOverfull = true;
    return;
  }
  parts.list[2 * parts.count] = place;
  parts.list[2 * parts.count + 1] = part;
  parts.count += 1;
}
