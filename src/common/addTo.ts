/** Adds an item to the list that a map has for a key, in the order of the calls; the first call makes the list. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
