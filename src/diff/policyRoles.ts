/** Rules of policies in iptables with the names of what chains are for, in an order that two runs share. */
export interface PolicyRoles {
  /** Role of a chain to its rules. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** Name of a set, that of its port where it is one of a named port, to the name it has in the dump. */
  readonly setNames: ReadonlyMap<string, string>;
  /** The policy that asks a set first. */
  readonly setOwners: ReadonlyMap<string, string>;
}

/**
 * Takes out what kube-router varies between two runs: the sync version in chain names, the numbering of named-port sets,
 * the order in which a Go map gives pods, policies and ports. Chains are told by the comments of what leads to them.
 */
export function policyRoles(lines: readonly string[]): PolicyRoles {
  const names = new Map<string, string>();
  const setNames = new Map<string, string>();
  const setOwners = new Map<string, string>();
  for (const line of lines) {
    const [, pod, podChain] = /--comment "([^ "]+) (?:in|out)" -j (KUBE-POD-FW-\w+)$/.exec(line) ?? [];
    if (pod !== undefined && podChain !== undefined) names.set(podChain, `KUBE-POD-FW (${pod})`);
    const [, own, policy, direction] =
      /^-A (KUBE-NWPLCY-[A-Z2-7]{16}) .*--comment "([^ "]+) (ingress|egress) /.exec(line) ?? [];
    if (own !== undefined && policy !== undefined) {
      const known = names.get(own);
      const isBoth = known !== undefined && !known.endsWith(` ${direction})`);
      names.set(own, `KUBE-NWPLCY (${policy}${isBoth ? '' : ` ${direction}`})`);
    }
    const [, tag, set = '', protocol, port] =
      / --comment "([^"]+ np)" .*--match-set (\S+) dst -m (\w+) --dport (\d+) /.exec(line) ?? [];
    if (tag !== undefined) names.set(set, `KUBE-DST (${tag} ${protocol} ${port})`);
    for (const [, asked = ''] of line.matchAll(/--match-set (\S+) /g)) {
      const [, owner] = /--comment "([^ "]+) (?:ingress|egress) /.exec(line) ?? [];
      if (owner !== undefined && !setOwners.has(asked)) setOwners.set(asked, owner);
    }
  }
  for (const line of lines) {
    // A chain without rules of its own is told by the jump to it.
    const [, side = '', jumped, chain] =
      /^-A KUBE-POD-FW-\w+ (-[sd] )?.*--comment "([^ "]+) policy" -j (KUBE-NWPLCY-\w+)$/.exec(line) ?? [];
    if (jumped === undefined || chain === undefined || names.has(chain)) continue;
    const direction = side === '-d ' ? ' ingress' : side === '-s ' ? ' egress' : '';
    names.set(chain, `KUBE-NWPLCY (${jumped}${direction})`);
  }
  const rename = (line: string) =>
    line.replace(/(?:inet6:)?KUBE-(?:POD-FW|NWPLCY|DST|SRC)-[A-Z2-7]{16}/g, (name) => names.get(name) ?? name);
  const chains = new Map<string, string[]>();
  for (const line of lines) {
    const [, chain = ''] = line.split(' ');
    const role = names.get(chain) ?? chain;
    const rules = chains.get(role);
    if (rules === undefined) chains.set(role, [rename(line)]);
    else rules.push(rename(line));
  }
  for (const [role, rules] of chains) chains.set(role, sortRuns(rules));
  for (const [name, role] of names) if (/KUBE-(?:DST|SRC)-/.test(name)) setNames.set(role, name);
  return { chains, setNames, setOwners };
}

/** Neighbouring rules that a map gives in any order are sorted; all others stay where they are. */
function sortRuns(rules: readonly string[]): string[] {
  const sorted: string[] = [];
  let run: string[] = [];
  let runKind: string | undefined;
  for (const rule of rules) {
    const kind = kindOf(rule);
    if (kind === undefined || kind !== runKind) {
      sorted.push(...run.sort());
      run = [];
    }
    runKind = kind;
    run.push(rule);
  }
  return [...sorted, ...run.sort()];
}

function kindOf(rule: string): string | undefined {
  if (/--comment "[^ "]+ (?:in|out)" -j /.test(rule)) return 'pods';
  if (/--comment "[^ "]+ policy" -j /.test(rule)) return 'policies';
  return /--comment "([^"]+ np)"/.exec(rule)?.[1];
}
