import { addTo } from '../common/addTo.ts';
import { compareBytes } from '../common/compareBytes.ts';
import type { PlacedLine } from '../node/placedLines.ts';

/** Rules of policies in iptables with the names of what chains are for, in an order that two runs share. */
export interface PolicyRoles {
  /** Role of a chain to its rules. */
  readonly chains: ReadonlyMap<string, readonly PlacedLine[]>;
  /** Name of a chain, or of a set of a named port, to its role; other sets are called the same in every run. */
  readonly roles: ReadonlyMap<string, string>;
  /** The policy that asks a set first. */
  readonly setOwners: ReadonlyMap<string, string>;
}

/**
 * Takes out what kube-router varies between two runs: the sync version in chain names, the numbering of named-port sets,
 * the order in which a Go map gives pods, policies and ports. Chains are told by the comments of what leads to them.
 */
export function policyRoles(lines: readonly PlacedLine[]): PolicyRoles {
  const names = new Map<string, string>();
  const setOwners = new Map<string, string>();
  for (const { text: line } of lines) {
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
  for (const { text: line } of lines) {
    // A chain without rules of its own is told by the jump to it.
    const [, side = '', jumped, chain] =
      /^-A KUBE-POD-FW-\w+ (-[sd] )?.*--comment "([^ "]+) policy" -j (KUBE-NWPLCY-\w+)$/.exec(line) ?? [];
    if (jumped === undefined || chain === undefined || names.has(chain)) continue;
    const direction = side === '-d ' ? ' ingress' : side === '-s ' ? ' egress' : '';
    names.set(chain, `KUBE-NWPLCY (${jumped}${direction})`);
  }
  const rename = (line: string) =>
    line.replace(/(?:inet6:)?KUBE-(?:POD-FW|NWPLCY|DST|SRC)-[A-Z2-7]{16}/g, (name) => names.get(name) ?? name);
  const chains = new Map<string, PlacedLine[]>();
  for (const { text, ...rest } of lines) {
    const [, chain = ''] = text.split(' ');
    addTo(chains, names.get(chain) ?? chain, { text: rename(text), ...rest });
  }
  for (const [role, rules] of chains) chains.set(role, sortRuns(rules));
  return { chains, roles: names, setOwners };
}

/** Neighbouring rules that a map gives in any order are sorted; all others stay where they are. */
function sortRuns(rules: readonly PlacedLine[]): PlacedLine[] {
  const sorted: PlacedLine[] = [];
  let run: PlacedLine[] = [];
  let runKind: string | undefined;
  const endRun = () => {
    for (const rule of run.sort((one, other) => compareBytes(one.text, other.text))) sorted.push(rule);
    run = [];
  };
  for (const rule of rules) {
    const kind = kindOf(rule.text);
    if (kind === undefined || kind !== runKind) endRun();
    runKind = kind;
    run.push(rule);
  }
  endRun();
  return sorted;
}

function kindOf(rule: string): string | undefined {
  if (/--comment "[^ "]+ (?:in|out)" -j /.test(rule)) return 'pods';
  if (/--comment "[^ "]+ policy" -j /.test(rule)) return 'policies';
  return /--comment "([^"]+ np)"/.exec(rule)?.[1];
}
