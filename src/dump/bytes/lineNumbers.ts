import { bytesOf, type LeftOutChains, linesOf } from './excerpt/excerptOf.ts';

/** Two numbers for each chain that is left out: the lines of its declaration and of its first rule. */
export function lineNumbers(text: Uint8Array, leftOut: LeftOutChains): Int32Array {
  const { names, parts } = leftOut.chains;
  const numbers = new Int32Array(2 * names.count());
  let line = 1;
  let from = 0;
  for (let at = 0; at < 2 * parts.count; at += 2) {
    const [place, part] = [parts.list[at] as number, parts.list[at + 1] as number];
    if (!leftOut.isLeftOut(part >> 1)) continue;
    for (; from < place; from += 1) if (text[from] === lineBreak) line += 1;
    numbers[part] = line;
    line += linesOf(leftOut, part);
    from = place + bytesOf(leftOut, part);
  }
  return numbers;
}

const lineBreak = 0x0a;
