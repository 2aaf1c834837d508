import { addTo } from '../common/addTo.ts';
import { compareBytes } from '../common/compareBytes.ts';
import type { PlacedLine } from '../node/placedLines.ts';
import { isPolicySet } from '../node/policyParts.ts';

/** Rules of policies in iptables with the names of what chains are for, in an order that two runs share. */
export interface PolicyRoles {
  /** Role of a chain to its rules. */
  readonly chains: ReadonlyMap<string, readonly PlacedLine[]>;
  /**
   * Name of a chain or of a set to its roles. kube-router's sets are called the same in every run, but for those of named
   * ports; in the strict layout sets have names of their contents, and one may serve several policies.
   */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** The policy that asks a set first. */
  readonly setOwners: ReadonlyMap<string, string>;
}

/**
 * Takes out what kube-router varies between two runs: the sync version in chain names, the numbering of named-port sets,
 * the order in which a Go map gives pods, policies and ports. Chains are told by the comments of what leads to them.
 * `hasContentNames`: the rules are of the strict layout, which calls sets after what they hold.
 */
export function policyRoles(lines: readonly PlacedLine[], hasContentNames: boolean): PolicyRoles {
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
  const roles = new Map([...names].map(([name, role]) => [name, new Set([role])]));
  const setRole = hasContentNames ? contentSetRoles() : (_: string, set: string) => names.get(set);
  const chains = new Map<string, PlacedLine[]>();
  for (const { text, ...rest } of lines) {
    const [, chain = ''] = text.split(' ');
    const rename = (name: string) => {
      const role = isPolicySet(name) ? setRole(text, name) : names.get(name);
      if (role !== undefined) roles.set(name, (roles.get(name) ?? new Set()).add(role));
      return role ?? name;
    };
    const renamed = text.replace(/(?:inet6:)?KUBE-(?:POD-FW|NWPLCY|DST|SRC)-[A-Z2-7]{16}/g, rename);
    addTo(chains, names.get(chain) ?? chain, { text: renamed, ...rest });
  }
  for (const [role, rules] of chains) chains.set(role, sortRuns(rules));
  return { chains, roles: new Map([...roles].map(([name, own]) => [name, [...own]])), setOwners };
}

/**
 * Roles of sets that are called after their contents: what the rule that asks them is for, and which of the sets of such
 * rules it is.
 */
function contentSetRoles(): (rule: string, set: string) => string | undefined {
  const ordinals = new Map<string, string[]>();
  return (rule, set) => {
    const [, purpose = ''] = /--comment "([^"]+)"/.exec(rule) ?? [];
    const side = rule.includes(`${set} src`) ? 'SRC' : 'DST';
    const [, port] = purpose.endsWith(' np') && side === 'DST' ? (/ --dport (\S+)/.exec(rule) ?? []) : [];
    const kind = `KUBE-${side} (${purpose}${port === undefined ? '' : ` ${port}`}`;
    const known = ordinals.get(kind) ?? [];
    ordinals.set(kind, known);
    if (!known.includes(set)) known.push(set);
    const at = known.indexOf(set);
    return `${kind}${at === 0 ? '' : `, ${at + 1}`})`;
  };
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
