/** A rule to print: what it leads to decides whether it stays. */
export interface OrderedRule {
  readonly text: string;
  /** Chains that it calls. A rule that calls chains is dropped too if none of them has a rule left. */
  readonly calls: readonly string[];
  /** What the rule means, as a whole sentence. */
  readonly sentence: string;
}

export interface OrderedChain {
  readonly name: string;
  readonly rules: readonly OrderedRule[];
}

/**
 * The chains that packets reach from `roots`, each once, in the order in which a packet meets them first. `rulesIn`
 * gives the rules of a chain; undefined: a verdict, or a chain that is not followed.
 */
export function chainOrder(
  roots: readonly string[],
  rulesIn: (chain: string) => readonly OrderedRule[] | undefined,
): readonly OrderedChain[] {
  const met = new Map<string, readonly OrderedRule[]>();
  const stack = [...roots].reverse().map((name) => ({ name, isDone: false }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { name, isDone } = next;
    if (isDone) {
      met.set(
        name,
        (met.get(name) ?? []).filter(({ calls }) => leads(calls, met)),
      );
      continue;
    }
    if (met.has(name)) continue;
    const rules = rulesIn(name);
    if (rules === undefined) continue;
    met.set(name, rules);
    stack.push({ name, isDone: true });
    for (const { calls } of [...rules].reverse()) {
      for (const call of [...calls].reverse()) stack.push({ name: call, isDone: false });
    }
  }
  return [...met].map(([name, rules]) => ({ name, rules })).filter(({ rules }) => rules.length > 0);
}

function leads(calls: readonly string[], met: ReadonlyMap<string, readonly OrderedRule[]>): boolean {
  return calls.length === 0 || calls.some((call) => met.get(call)?.length !== 0);
}
