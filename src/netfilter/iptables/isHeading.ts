/** What somebody wrote over the rules of one node or one time: `node1:`, `=== node2`, `worker | CHANGED | rc=0 >>`. */
export function isHeading(line: string): boolean {
  return line.length < longestHeading && headings.test(line);
}

const longestHeading = 100;
const headings =
  /^(?:={2,}|#{1,6} |\*{2,}|-{3,} ?).*\w|^==> .* <==$|^\[\d+\] .*\[(?:SUCCESS|FAILURE)\]|\| (?:CHANGED|SUCCESS|FAILED) \||^[\w.@-]{1,63}:$|\b(?:before|after|node|worker|master|host)\b.*:$/i;
