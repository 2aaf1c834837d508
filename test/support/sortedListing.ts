/** What `nft list` prints, with the sets, maps and chains of each table by name: what stays on a reload stands first there. */
export function sortedListing(text: string): string {
  return text.replace(/^table .* \{\n[\s\S]*?^\}$/gm, (table) => {
    const lines = table.split('\n');
    const first = lines.findIndex((line) => /^\t(?:set|map|chain) /.test(line));
    if (first < 0) return table;
    const blocks = lines.slice(first, -1).join('\n').split('\n\n');
    return [...lines.slice(0, first), blocks.sort().join('\n\n'), '}'].join('\n');
  });
}
