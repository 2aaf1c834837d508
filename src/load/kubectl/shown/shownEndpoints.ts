/** What a list of endpoints shows, and how many more there are by its own words. */
export interface ShownEndpoints {
  readonly subsets: readonly ShownSubset[];
  readonly hiddenCount: number;
}

export interface ShownSubset {
  readonly addresses: readonly { readonly ip: string }[];
  readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[];
}

/**
 * Reads `10.0.0.1:80,10.0.0.2:80 + 3 more...`. Addresses with the same ports make a subset; `port` is what is known
 * of the one port that a description lists endpoints for.
 */
export function shownEndpoints(
  list: string,
  port: { readonly name?: string; readonly protocol?: string } = {},
): ShownEndpoints {
  const more = /^(.*?),? *\+ *(\d+) more\.\.\.$/.exec(list);
  const shown = (more?.[1] ?? list).trim();
  const hiddenCount = Number(more?.[2] ?? 0);
  if (shown === '' || shown === '<none>') return { subsets: [], hiddenCount };
  const portsOf = new Map<string, number[]>();
  for (const text of shown.split(',')) {
    const parts = /^\[(.*)\]:(\d{1,5})$/.exec(text) ?? /^([^:]*):(\d{1,5})$/.exec(text);
    const ip = parts?.[1] ?? text;
    const numbers = portsOf.get(ip) ?? [];
    if (parts !== null) numbers.push(Number(parts[2]));
    portsOf.set(ip, numbers);
  }
  const byPorts = new Map<string, string[]>();
  for (const [ip, numbers] of portsOf) {
    const key = numbers.join();
    const ips = byPorts.get(key) ?? [];
    ips.push(ip);
    byPorts.set(key, ips);
  }
  const subsets = [...byPorts].map(([key, ips]) => ({
    addresses: ips.map((ip) => ({ ip })),
    ...(key === '' ? {} : { ports: key.split(',').map((number) => ({ ...port, port: Number(number) })) }),
  }));
  return { subsets, hiddenCount };
}
