import { didYouMean } from './text/didYouMean.ts';

/**
 * Which of some names (`namespace/name`) were probably meant by one that is not among them and may lack its namespace:
 * those of the same name in other namespaces; otherwise the nearest spelling; otherwise those with a similar name in
 * any namespace.
 */
export function namesMeant(asked: string, known: readonly string[]): readonly string[] {
  const name = nameOf(asked);
  const elsewhere = known.filter((one) => nameOf(one) === name);
  if (elsewhere.length > 0) return someNames(elsewhere);
  const near = asked.includes('/') ? didYouMean(asked, known) : undefined;
  if (near !== undefined) return [near];
  const nearName = didYouMean(name, known.map(nameOf));
  return someNames(known.filter((one) => nameOf(one) === nearName));
}

function nameOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The first few of them, in order. */
export function someNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort().slice(0, 3);
}
