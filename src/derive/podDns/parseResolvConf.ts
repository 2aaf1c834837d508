/** What a resolver is told: by a node's file, or by a Pod's. */
export interface ResolvConf {
  readonly nameservers: readonly string[];
  readonly searches: readonly string[];
  /** `ndots:5`; each name once. */
  readonly options: readonly string[];
}

/**
 * Reads a node's resolv.conf as the kubelet does: nameservers add up; of several search lines the last one counts; of
 * options with one name the last one counts, at the place of the first. Names lose their final dot, and the root is
 * never searched.
 */
export function parseResolvConf(text: string): ResolvConf {
  const nameservers: string[] = [];
  let searches: readonly string[] = [];
  const options = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === 'nameserver' && values[0] !== undefined) nameservers.push(values[0]);
    if (keyword === 'search') searches = values.map((name) => name.replace(/\.$/, '')).filter((name) => name !== '');
    if (keyword === 'options') for (const option of values) options.set(optionName(option), option);
  }
  return { nameservers, searches, options: [...options.values()] };
}

/** `ndots` of `ndots:5`. */
export function optionName(option: string): string {
  const colon = option.indexOf(':');
  return colon < 0 ? option : option.slice(0, colon);
}
