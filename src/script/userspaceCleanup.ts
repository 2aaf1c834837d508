import { userspaceChains } from '../emit/userspace/emitUserspace.ts';
import { shellPrelude } from './shellPrelude.ts';

/**
 * A POSIX shell script that removes what kube-proxy's userspace mode wrote, in both families, and nothing else. A chain
 * that somebody else's chain leads to stays, and is named.
 */
export function userspaceCleanupScript(): string {
  const names = userspaceChains.map(([, chain]) => chain).join(' ');
  return `${shellPrelude("Removes kube-proxy's rules of userspace mode from this node, and nothing else.")}chains='${names}'
${body}`;
}

const body = `undo() {
  :
}

# clean TOOL TABLE: one run of TOOL-restore takes out the jumps and the chains.
clean() {
  "$1-save" -t "$2" >"$work/now" 2>/dev/null || return 0
  awk -v names="$chains" '
    function ours(chain) { return (chain in chains) && !(chain in kept) }
    BEGIN { split(names, list, " "); for (i in list) named[list[i]] = 1 }
    /^[*]/ { table = $1 }
    /^:/ { chain = substr($1, 2); builtin[chain] = $2 != "-"; if (chain in named) chains[chain] = 1 }
    /^-A / {
      lines[++number] = $0
      from[number] = $2
      for (i = NF; i > 2; i--) if ($i == "-j" || $i == "-g") { to[number] = $(i + 1); break }
    }
    END {
      for (n = 1; n <= number; n++) if (ours(to[n]) && !builtin[from[n]] && !(from[n] in chains)) kept[to[n]] = 1
      if (table == "") exit
      print table
      for (chain in chains) if (ours(chain)) print ":" chain " - [0:0]"
      for (n = 1; n <= number; n++) {
        rule = lines[n]
        sub(/^-A /, "-D ", rule)
        if (builtin[from[n]] && ours(to[n])) print rule
      }
      for (chain in chains) if (ours(chain)) print "-X " chain
      print "COMMIT"
      for (chain in kept) print "k8snet: " chain " stays: other programs use it" >"/dev/stderr"
    }
  ' "$work/now" >"$work/clean"
  "$1-restore" -w 5 --noflush <"$work/clean" || fail "$1-restore failed; table $2 is as it was"
}

need awk
found=no
for tool in iptables ip6tables; do
  command -v "$tool-save" >/dev/null 2>&1 || continue
  command -v "$tool-restore" >/dev/null 2>&1 || continue
  found=yes
  for table in nat filter; do clean "$tool" "$table"; done
done
[ "$found" = yes ] || fail 'neither iptables nor ip6tables is installed'

done=yes
echo 'k8snet: the rules of kube-proxy are gone' >&2
`;
