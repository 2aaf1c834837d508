import type { IpvsNode } from '../../emit/ipvs/emitIpvs.ts';
import { everyIpvsName } from './everyIpvsName.ts';

/** Files of the script's working folder that name chains and sets of other versions, which this one does not make. */
export function leftoverNames(nodes: readonly IpvsNode[]): readonly { name: string; lines: readonly string[] }[] {
  const { natChains, filterChains, sets } = everyIpvsName();
  const made = new Set<string>();
  for (const node of nodes) {
    for (const { name, chains } of node.saved.tables) for (const chain of chains) made.add(`*${name} ${chain.name}`);
    for (const set of node.sets.sets) made.add(set.name);
  }
  const chains = [
    ...[...natChains, 'KUBE-MARK-DROP'].map((chain) => `*nat ${chain}`),
    ...filterChains.map((chain) => `*filter ${chain}`),
  ];
  const leftOf = (names: readonly string[]) =>
    [...new Set(names)].filter((name) => !made.has(name)).map((name) => `${name}\n`);
  return [
    { name: 'leftover.chains', lines: leftOf(chains) },
    { name: 'leftover.sets', lines: leftOf(nodes.flatMap(({ family }) => sets[family])) },
  ];
}

/** Called last: what it cannot take away does no harm. */
export const leftoverFunctions = `# remove_leftovers: chains and sets that another version of kube-proxy made. A KUBE-MARK-DROP with rules is kubelet's, and
# what a chain of somebody else leads to stays as well.
remove_leftovers() {
  for tool in $tools; do
    "$tool-save" >"$work/$tool.now" || continue
    awk '
      file == "names" { named[$1 " " $2] = 1; next }
      /^[*]/ { table = $1 }
      /^:/ { chain = table " " substr($1, 2); user[chain] = $2 == "-"; if (chain in named) stale[chain] = 1 }
      /^-A / {
        if ($2 == "KUBE-MARK-DROP") delete stale[table " " $2]
        for (i = NF; i > 2; i--) if ($i == "-j" || $i == "-g") {
          lines[++number] = $0
          from[number] = table " " $2
          to[number] = table " " $(i + 1)
          break
        }
      }
      END {
        do {
          changed = 0
          for (n = 1; n <= number; n++) {
            if (!(to[n] in stale) || !user[from[n]] || (from[n] in stale)) continue
            delete stale[to[n]]
            changed = 1
          }
        } while (changed)
        for (chain in stale) {
          split(chain, part, " ")
          flush[part[1]] = flush[part[1]] ":" part[2] " - [0:0]\\n"
          last[part[1]] = last[part[1]] "-X " part[2] "\\n"
        }
        for (n = 1; n <= number; n++) if ((to[n] in stale) && !(from[n] in stale)) {
          split(to[n], part, " ")
          sub(/^-A /, "-D ", lines[n])
          jumps[part[1]] = jumps[part[1]] lines[n] "\\n"
        }
        for (table in flush) printf "%s\\n%s%s%sCOMMIT\\n", table, flush[table], jumps[table], last[table]
      }
    ' file=names "$work/leftover.chains" file=live "$work/$tool.now" >"$work/$tool.leftover" || continue
    [ ! -s "$work/$tool.leftover" ] || "$tool-restore" -w 5 --noflush <"$work/$tool.leftover" ||
      echo "k8snet: chains of another version of kube-proxy are left over ($tool)" >&2
  done
  ipset save >"$work/sets.now" || return 0
  awk '
    file == "names" { named[$1] = 1 }
    file == "live" && $1 == "create" && ($2 in named) { print $2 }
  ' file=names "$work/leftover.sets" file=live "$work/sets.now" >"$work/sets.leftover"
  while read -r set; do
    ipset destroy "$set" || echo "k8snet: the set $set of another version of kube-proxy is left over" >&2
  done <"$work/sets.leftover"
}

`;
