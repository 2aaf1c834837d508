import { ipvsSets, type SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import { setPattern } from '../../netfilter/ipset/proxySets.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { cleanFunction, forEachTool, noteRule, readNamedChains } from '../iptables/chainCleanup.ts';
import { noUndo, shellPrelude } from '../shellPrelude.ts';
import { everyIpvsName } from './everyIpvsName.ts';

/**
 * A POSIX shell script that removes what kube-proxy's IPVS mode left, in any version and in both families, and nothing
 * else. Virtual services are recognized by kube-proxy's traces: their address is on kube-ipvs0, or their address and
 * port are in one of its sets, or they are a node port of its sets at an address of the node. Those of other programs
 * (keepalived), and all with a firewall mark, stay. Sets and chains have exact names. The script keeps and names what
 * another program's rule still leads to or looks into, and a KUBE-MARK-DROP that is not empty, which belongs to the
 * kubelet.
 */
export function ipvsCleanupScript(): string {
  const { natChains, filterChains, sets } = everyIpvsName();
  return `${shellPrelude("Removes what kube-proxy's IPVS mode left on this node, and nothing else.")}
export work
device=${ipvsDevice}
nat='${natChains.join(' ')}'
filter='${filterChains.join(' ')}'
cat >"$work/sets.names" <<'K8SNET_END'
${[...sets.ipv4, ...sets.ipv6].join('\n')}
K8SNET_END

${body}`;
}

const clean = cleanFunction({
  parameters: 'TOOL TABLE CHAINS',
  variables: '-v names="$3" ',
  reading: `${readNamedChains}      if ($2 == "KUBE-MARK-DROP") delete chains[$2]
${noteRule}    }
`,
  keeping: `      # What a chain of somebody else leads to must stay, and what that leads to as well. Whoever marks packets needs the
      # chain that masquerades them.
      do {
        changed = 0
        for (n = 1; n <= number; n++) {
          if (!ours(to[n]) || ours(from[n])) continue
          if (builtin[from[n]] && !(from[n] in chains) && to[n] != "KUBE-MARK-MASQ") continue
          kept[to[n]] = 1
          changed = 1
          if (to[n] == "KUBE-MARK-MASQ" && ("KUBE-POSTROUTING" in chains)) kept["KUBE-POSTROUTING"] = 1
        }
      } while (changed)
`,
  deleting: `        # The hairpin rule looks into a set that is about to go.
        if (ours(to[n]) && !ours(from[n])) print rule
        else if (from[n] == "KUBE-POSTROUTING" && ("KUBE-POSTROUTING" in kept) && rule ~ / --match-set ${named('loopBack')} /) print rule
`,
});

const body = `${noUndo}${clean}
# stale_services: -D for the virtual services that are kube-proxy's.
stale_services() {
  ip -o addr show >"$work/addresses" || fail 'ip failed'
  awk -v device="$device" '
    function bare(address) { sub(/\\/[0-9]+$/, "", address); return address }
    file == "addresses" && $2 == device { bound[bare($4)] = 1; next }
    file == "addresses" { own[bare($4)] = 1; next }
    file == "sets" && $1 == "add" && $2 ~ /^${named('clusterIP', 'externalIP', 'externalIPLocal', 'loadBalancer', 'nodePortSCTPHash')}$/ { known[$3] = 1 }
    file == "sets" && $1 == "add" && $2 ~ /^${named('nodePortTCP')}$/ { port["-t " $3] = 1 }
    file == "sets" && $1 == "add" && $2 ~ /^${named('nodePortUDP')}$/ { port["-u " $3] = 1 }
    file == "sets" && $1 == "add" && $2 ~ /^${named('nodePortSCTP')}$/ { port["--sctp-service " $3] = 1 }
    file == "services" && $1 == "-A" && $2 != "-f" {
      number = $3
      sub(/^.*:/, "", number)
      address = $3
      sub(/:[0-9]+$/, "", address)
      gsub(/[][]/, "", address)
      protocol = $2 == "-t" ? "tcp" : $2 == "-u" ? "udp" : "sctp"
      if ((address in bound) || ((address "," protocol ":" number) in known) || ((($2 " " number) in port) && (address in own))) print "-D " $2 " " $3
    }
  ' file=addresses "$work/addresses" file=sets "$work/sets" file=services "$work/services"
}

need awk grep ip ipset
ipset save >"$work/sets" || fail 'ipset save failed'
unlisted=no
if command -v ipvsadm >/dev/null 2>&1 && ipvsadm -Sn >"$work/services" 2>/dev/null; then
  stale_services >"$work/stale"
  [ ! -s "$work/stale" ] || ipvsadm -R <"$work/stale" || fail 'ipvsadm failed'
elif [ -e /proc/net/ip_vs ]; then
  echo 'k8snet: ipvsadm cannot list the virtual services: they were not touched' >&2
  unlisted=yes
fi

${forEachTool(`  clean "$tool" nat "$nat"
  clean "$tool" filter "$filter"
`)}
# Also the spare sets of an apply script that was killed.
awk '
  file == "names" { named[$1] = 1 }
  file == "sets" && $1 == "create" && (($2 in named) || $2 ~ /^k8snet-[0-9]+$/) { print $2 }
' file=names "$work/sets.names" file=sets "$work/sets" >"$work/destroy"
while read -r set; do
  ipset destroy "$set" 2>/dev/null && continue
  echo "k8snet: the set $set stays: other rules look into it" >&2
  unseen=yes
done <"$work/destroy"

if ip link show dev "$device" >/dev/null 2>&1; then
  ip link delete "$device" || fail "cannot delete $device"
fi

done=yes
if [ "$unlisted" = yes ]; then unseen=yes; fi
say_gone "the rules, sets and services of kube-proxy's IPVS mode" '; kernel settings are left as they are'
`;

/** The regular expression of awk for these sets. */
function named(...keys: readonly SetKey[]): string {
  return setPattern(keys.map((key) => ipvsSets[key].name));
}
