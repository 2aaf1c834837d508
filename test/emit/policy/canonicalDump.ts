import { canonicalSet } from '../../../src/netfilter/ipset/canonicalSet.ts';
import { parseIpset } from '../../../src/netfilter/ipset/parseIpset.ts';
import { printIpset } from '../../../src/netfilter/ipset/printIpset.ts';

/**
 * Takes out of a dump what kube-router itself varies between two runs: the sync version in chain names, the numbering
 * of named-port sets, and the order in which a Go map gives pods, policies and ports. Chains get the names of what they
 * are for, sets of named ports those of the ports.
 */
export function canonicalDump(iptables: string, ipset: string): { readonly rules: string; readonly sets: string } {
  const lines = iptables.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const names = new Map<string, string>();
  for (const line of lines) {
    const [, owner, , podChain] = /--comment "([^ "]+) (in|out)" -j (KUBE-POD-FW-\w+)$/.exec(line) ?? [];
    if (owner !== undefined && podChain !== undefined) names.set(podChain, `KUBE-POD-FW-<${owner}>`);
    const [, jumped, chain] = /--comment "([^ "]+) policy" -j (KUBE-NWPLCY-\w+)$/.exec(line) ?? [];
    if (jumped !== undefined && chain !== undefined) names.set(chain, `KUBE-NWPLCY-<${jumped}>`);
    const [, own, policy] = /^-A (KUBE-NWPLCY-[A-Z0-9]{16}) .*--comment "([^ "]+) (?:in|e)gress /.exec(line) ?? [];
    if (own !== undefined && policy !== undefined) names.set(own, `KUBE-NWPLCY-<${policy}>`);
    const [, tag, set, protocol, port] =
      / --comment "([^"]+ np)" .*--match-set (\S+) dst -m (\w+) --dport (\d+) /.exec(line) ?? [];
    if (set !== undefined) names.set(set, `KUBE-DST-<${tag} ${protocol} ${port}>`);
  }
  // Policies that select no pod here and allow nothing leave an empty chain, of which nothing tells the name.
  const rename = (text: string) =>
    text.replace(/(?:inet6:)?KUBE-(?:POD-FW|NWPLCY|DST|SRC)-[A-Z0-9]{16}/g, (name) => {
      const known = names.get(name);
      return known ?? (name.startsWith('KUBE-NWPLCY-') ? 'KUBE-NWPLCY-<unused>' : name);
    });
  const renamed = lines.map(rename);
  const chains = renamed.filter((line) => line.startsWith(':')).sort();
  const rules = sortRuns(renamed.filter((line) => line.startsWith('-A')).sort(byChain));
  const state = parseIpset(ipset, ({ message }) => {
    throw new Error(message);
  });
  const sets = state.sets
    .map((set) => canonicalSet({ ...set, name: rename(set.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    rules: [...chains, ...rules].join('\n'),
    sets: [...printIpset({ kind: 'ipset', sets })].join(''),
  };
}

/** The sort is stable: rules of one chain keep their order. */
function byChain(a: string, b: string): number {
  const [, one = ''] = a.split(' ');
  const [, other = ''] = b.split(' ');
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Neighbouring rules that a map gives in any order are sorted; all others stay where they are. */
function sortRuns(rules: readonly string[]): readonly string[] {
  const sorted: string[] = [];
  let run: string[] = [];
  let runKind: string | undefined;
  for (const rule of [...rules, '']) {
    const kind = kindOf(rule);
    if (kind !== runKind || kind === undefined) {
      sorted.push(...run.sort());
      run = [];
    }
    runKind = kind;
    if (rule !== '') run.push(rule);
  }
  return [...sorted, ...run];
}

function kindOf(rule: string): string | undefined {
  const [, chain = ''] = rule.split(' ');
  if (/--comment "[^ "]+ (in|out)" -j /.test(rule)) return `${chain} pods`;
  if (/--comment "[^ "]+ policy" -j /.test(rule)) return `${chain} policies`;
  const [, tag] = /--comment "([^"]+ np)"/.exec(rule) ?? [];
  return tag === undefined ? undefined : `${chain} ${tag}`;
}
