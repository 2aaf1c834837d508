/**
 * What a log or a program that joins outputs put in front of every line: `Mar 01 14:03:11 node dump[2211]: `,
 * `[pod/dump/dump] `, `node1.save:12:`. It is recognized by its form, regardless of digits: nearly all lines share it,
 * in
 * front of text that rules begin with. The text without it; undefined: there is none.
 */
export function withoutCommonPrefix(text: string, sample: readonly string[]): string | undefined {
  const shapes = new Map<string, number>();
  let rules = 0;
  for (const line of sample) {
    const at = ruleAt(line);
    if (at === -1) continue;
    rules += 1;
    if (at > 0) {
      const shape = shapeOf(line.slice(0, at));
      shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    }
  }
  const [best] = [...shapes].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < leastLines || best[1] < rules * mostShare) return undefined;
  return text
    .split('\n')
    .map((line) => {
      const at = ruleAt(line);
      if (at > 0 && shapeOf(line.slice(0, at)) === best[0]) return line.slice(at);
      // Other lines have the same prefix: an empty line of the output, a heading.
      const end = prefixEnd(line, best[0]);
      return end === -1 ? line : line.slice(end);
    })
    .join('\n');
}

const leastLines = 3;
const mostShare = 0.8;
const longestPrefix = 120;

function ruleAt(line: string): number {
  const at = line.slice(0, longestPrefix + 60).search(ruleStart);
  return at > longestPrefix ? -1 : at;
}

/** Texts that only rules contain, anywhere in a line. */
const ruleStart =
  /(?:(?:\[\d+:\d+\] )?-A [A-Z][\w-]* -|:[A-Z][A-Za-z0-9_-]* (?:ACCEPT|DROP|-) \[\d+:\d+\]|\*(?:nat|filter|mangle|raw|security)$|COMMIT$|# (?:Generated|Completed) |-a -[tuf] \S+ -r|-A -[tuf] \S+ -s)/;

function shapeOf(prefix: string): string {
  return prefix.replace(/\d+/g, '0');
}

/** Where a prefix of this form ends in a line; -1: the line begins otherwise. */
function prefixEnd(line: string, shape: string): number {
  let at = 0;
  for (let place = 0; place < shape.length; place += 1) {
    if (shape[place] === '0') {
      const digits = /^\d+/.exec(line.slice(at))?.[0].length;
      if (digits === undefined) return -1;
      at += digits;
    } else if (line[at] === shape[place]) at += 1;
    else return place >= shape.trimEnd().length ? at : -1;
  }
  return at;
}
