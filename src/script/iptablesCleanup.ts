import { shellPrelude } from './shellPrelude.ts';

/**
 * A POSIX shell script that removes what kube-proxy's iptables mode wrote, of any version and in both families, and
 * nothing else. Chains of kubelet, of network policies and of other programs stay. So does a chain of kube-proxy's that
 * somebody else's rule still leads to, KUBE-FIREWALL where kubelet has rules in it, and a KUBE-MARK-DROP that is not
 * empty; each is named.
 */
export function iptablesCleanupScript(): string {
  return `${shellPrelude("Removes kube-proxy's rules of iptables mode from this node, and nothing else.")}${body}`;
}

const body = `undo() {
  :
}

# clean TOOL TABLE: one run of TOOL-restore takes out the jumps and the chains.
clean() {
  "$1-save" -t "$2" >"$work/now" 2>/dev/null || return 0
  awk '
    function fixed(chain) {
      return chain ~ /^KUBE-(SERVICES|EXTERNAL-SERVICES|NODEPORTS|POSTROUTING|MARK-MASQ|FORWARD|PROXY-FIREWALL|PROXY-CANARY)$/
    }
    function service(chain) { return chain ~ /^KUBE-(SVC|SVL|XLB|EXT|FW|SEP)-[A-Z2-7]+$/ }
    function ours(chain) { return (chain in chains) && !(chain in kept) }
    /^[*]/ { table = $1; next }
    /^:/ { chain = substr($1, 2); policy[chain] = $2; if (fixed(chain) || service(chain)) chains[chain] = ++count; else if (chain ~ /^KUBE-(FIREWALL|MARK-DROP)$/) maybe[chain] = 1; next }
    /^-A / {
      lines[++number] = $0
      from[number] = $2
      for (i = NF; i > 2; i--) if ($i == "-j" || $i == "-g") { to[number] = $(i + 1); break }
      if ($2 == "KUBE-FIREWALL" && !/"block incoming localnet connections"/) delete maybe["KUBE-FIREWALL"]
      if ($2 == "KUBE-MARK-DROP") delete maybe["KUBE-MARK-DROP"]
      next
    }
    END {
      for (chain in maybe) chains[chain] = ++count
      # What a foreign chain, or a foreign rule of a built-in chain, leads to must stay, and what that leads to as well.
      do {
        changed = 0
        for (n = 1; n <= number; n++) {
          if (!ours(to[n]) || ours(from[n])) continue
          if (policy[from[n]] != "-" && to[n] != "KUBE-MARK-MASQ" && !service(to[n]) && to[n] != "KUBE-MARK-DROP") continue
          kept[to[n]] = 1
          changed = 1
          # Whoever marks packets needs the chain that masquerades them.
          if (to[n] == "KUBE-MARK-MASQ" && ("KUBE-POSTROUTING" in chains)) kept["KUBE-POSTROUTING"] = 1
        }
      } while (changed)
      if (table == "") exit
      print table
      for (chain in chains) if (ours(chain)) print ":" chain " - [0:0]"
      for (n = 1; n <= number; n++) {
        rule = lines[n]
        sub(/^-A /, "-D ", rule)
        if (!ours(from[n]) && ours(to[n])) print rule
        else if (from[n] == "POSTROUTING" && rule ~ /"kubernetes service traffic requiring SNAT" -m mark --mark 0x4d415351 -j MASQUERADE$/) print rule
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
  for table in nat filter mangle; do clean "$tool" "$table"; done
done
[ "$found" = yes ] || fail 'neither iptables nor ip6tables is installed'

done=yes
echo 'k8snet: the rules of kube-proxy are gone; kernel settings are left as they are' >&2
`;
