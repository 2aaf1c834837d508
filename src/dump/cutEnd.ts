/**
 * Where the last line of a text begins that was cut within a table: no line break ends it, and no COMMIT the table. What is
 * left of such a line may read as another rule. Of a few pasted lines the last one is mostly whole: they name no table.
 */
export function cutEnd(text: string): number | undefined {
  if (text.endsWith('\n')) return undefined;
  const start = text.lastIndexOf('\n') + 1;
  if (!ruleLine.test(text.slice(start, start + longestHead))) return undefined;
  const header = text.lastIndexOf('\n*', start);
  const opened = header === -1 && text.startsWith('*') ? 0 : header;
  return opened !== -1 && text.indexOf('\nCOMMIT', opened) === -1 ? start : undefined;
}

/** Of a line, enough to see that it is a rule. */
const longestHead = 60;

const ruleLine = /^(?:\[\d+:\d+\] )?-[AI] /;
