import { dirname, join, normalize } from 'node:path';

/**
 * Files that import each other, types and lazy imports included: each group once, with the imports that close it. `texts`:
 * of every file that is looked at, by its path.
 */
export function importCycles(texts: ReadonlyMap<string, string>): readonly string[] {
  const imports = new Map([...texts].map(([file, text]) => [file, importedBy(file, text, texts)]));
  return groupsOf(imports).map((group) => {
    const own = new Set(group);
    const lines = group.map((file) => `${file} imports ${[...(imports.get(file) ?? [])].filter((to) => own.has(to))}`);
    return lines.sort().join('; ');
  });
}

function importedBy(file: string, text: string, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );
  return new Set(paths.filter((path) => texts.has(path)));
}

/** Strongly connected components, in one pass: those of several files, and files that import themselves. */
function groupsOf(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const path: string[] = [];
  const open = new Set<string>();
  const groups: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    path.push(file);
    open.add(file);
    let low = own;
    for (const to of imports.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (open.has(to)) low = Math.min(low, order.get(to) ?? own);
    }
    if (low === own) {
      const group = path.splice(path.indexOf(file));
      for (const one of group) open.delete(one);
      if (group.length > 1 || imports.get(file)?.has(file)) groups.push(group);
    }
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return groups;
}
