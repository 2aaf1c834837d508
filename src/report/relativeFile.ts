/**
 * A file name as a code-review site knows it: relative to `baseFolder`, with slashes. Names elsewhere stay as they are;
 * standard input has none.
 */
export function relativeFile(file: string, baseFolder: string | undefined): string | undefined {
  if (file === '<stdin>' || file === '-') return undefined;
  const name = file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  if (baseFolder === undefined) return name;
  const base = baseFolder.replaceAll('\\', '/').replace(/\/+$/, '');
  return name.startsWith(`${base}/`) ? name.slice(base.length + 1) : name;
}
