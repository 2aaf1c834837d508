/** Places and parts alternate: a part is twice a chain's number, plus 1 for its rules. */
export interface PartList {
  readonly list: Int32Array;
  count: number;
  isOverfull: boolean;
}

/** Each chain has a declaration and rules; a text with more parts is not plain. */
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
