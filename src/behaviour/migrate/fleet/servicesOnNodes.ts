/** Service ports that something is true of on the same nodes. */
export interface ServicesOnNodes {
  readonly services: readonly string[];
  readonly nodes: readonly string[];
}

/**
 * Brings Service ports together by their nodes; those on most nodes come first. Most nodes have equal lists: each list
 * is looked at once.
 */
export function servicesOnNodes(
  placed: readonly { readonly node: string; readonly services: readonly string[] }[],
): readonly ServicesOnNodes[] {
  const lists = new Map<string, { readonly services: readonly string[]; readonly nodes: number[] }>();
  for (const [at, { services }] of placed.entries()) {
    const key = JSON.stringify(services);
    const known = lists.get(key);
    if (known === undefined) lists.set(key, { services, nodes: [at] });
    else known.nodes.push(at);
  }
  const all = [...lists.values()];
  const listsOf = new Map<string, number[]>();
  for (const [at, { services }] of all.entries()) {
    for (const service of services) {
      const known = listsOf.get(service);
      if (known === undefined) listsOf.set(service, [at]);
      else known.push(at);
    }
  }
  const groups = new Map<string, { readonly services: string[]; readonly lists: readonly number[] }>();
  for (const [service, own] of listsOf) {
    const key = own.join();
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { services: [service], lists: own });
    else known.services.push(service);
  }
  return [...groups.values()]
    .map(({ services, lists: own }) => ({
      services,
      nodes: own
        .flatMap((at) => all[at]?.nodes ?? [])
        .sort((one, other) => one - other)
        .flatMap((at) => placed[at]?.node ?? []),
    }))
    .sort((one, other) => other.nodes.length - one.nodes.length);
}
