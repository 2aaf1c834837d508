import { serviceChainPattern, sharedIptablesChains } from '../../netfilter/proxyChains.ts';
import { noUndo, shellPrelude } from '../shellPrelude.ts';
import { cleanFunction, forEachTool, noteRule } from './chainCleanup.ts';

/**
 * A POSIX shell script that removes what kube-proxy's iptables mode wrote, in any version and in both families, and
 * nothing else. Chains of the kubelet, of network policies and of other programs stay. These also stay, and the script
 * names them: a kube-proxy chain that another program's rule still leads to, KUBE-FIREWALL if the kubelet has rules in
 * it, and a KUBE-MARK-DROP that is not empty.
 */
export function iptablesCleanupScript(): string {
  return `${shellPrelude("Removes kube-proxy's rules of iptables mode from this node, and nothing else.")}${body}`;
}

const clean = cleanFunction({
  parameters: 'TOOL TABLE',
  reading: `    function fixed(chain) {
      return chain ~ /^KUBE-(${sharedIptablesChains.map((chain) => chain.slice('KUBE-'.length)).join('|')})$/
    }
    function service(chain) { return chain ~ /${serviceChainPattern}/ }
    function ours(chain) { return (chain in chains) && !(chain in kept) }
    /^[*]/ { table = $1; next }
    /^:/ { chain = substr($1, 2); policy[chain] = $2; if (fixed(chain) || service(chain)) chains[chain] = ++count; else if (chain ~ /^KUBE-(FIREWALL|MARK-DROP)$/) maybe[chain] = 1; next }
    /^-A / {
${noteRule}      if ($2 == "KUBE-FIREWALL" && !/"block incoming localnet connections"/) delete maybe["KUBE-FIREWALL"]
      if ($2 == "KUBE-MARK-DROP") delete maybe["KUBE-MARK-DROP"]
      next
    }
`,
  keeping: `      for (chain in maybe) chains[chain] = ++count
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
`,
  deleting: `        if (!ours(from[n]) && ours(to[n])) print rule
        else if (from[n] == "POSTROUTING" && rule ~ /"kubernetes service traffic requiring SNAT" -m mark --mark 0x4d415351 -j MASQUERADE$/) print rule
`,
});

const body = `${noUndo}${clean}
need awk grep
${forEachTool(`  for table in nat filter mangle; do clean "$tool" "$table"; done
`)}
done=yes
say_gone 'the rules of kube-proxy' '; kernel settings are left as they are'
`;
