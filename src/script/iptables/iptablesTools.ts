/**
 * The shell functions that find the programs for rules of iptables: there are two back ends, legacy and nf_tables, a node
 * may hold rules in both, and `iptables` is one of them. Rules are called gone only where somebody looked.
 */
export const iptablesTools = `# find_tools: tools becomes the programs of both families and back ends. What none can look into is named: unseen is then
# yes, and left is yes if there are rules of ours in it.
find_tools() {
  tools=
  unseen=no
  left=no
  for family in iptables ip6tables; do
    has_tool "$family" || continue
    tools="$tools $family"
    case $("$family" --version 2>/dev/null) in
      *nf_tables*) find_legacy "$family" ;;
      *) find_nft "$family" ;;
    esac
  done
  [ -n "$tools" ] || fail 'neither iptables nor ip6tables is installed'
}

has_tool() {
  command -v "$1-save" >/dev/null 2>&1 && command -v "$1-restore" >/dev/null 2>&1
}

# legacy_tables TOOL: the tables of the legacy back end. It makes those that it is asked for, so it is not asked.
legacy_tables() {
  case $1 in
    ip6*) cat /proc/net/ip6_tables_names 2>/dev/null || : ;;
    *) cat /proc/net/ip_tables_names 2>/dev/null || : ;;
  esac
}

find_legacy() {
  [ -n "$(legacy_tables "$1")" ] || return 0
  if has_tool "$1-legacy"; then
    tools="$tools $1-legacy"
  else
    echo "k8snet: $1 has tables of the legacy back end too, and $1-legacy is not installed: they were not touched" >&2
    unseen=yes
    left=yes
  fi
}

find_nft() {
  if has_tool "$1-nft" && "$1-nft-save" >/dev/null 2>&1; then
    tools="$tools $1-nft"
  elif command -v nft >/dev/null 2>&1 && nft list tables >"$work/tables" 2>/dev/null; then
    if [ "$1" = iptables ]; then version=ip; else version=ip6; fi
    for table in nat filter mangle; do
      grep -qx "table $version $table" "$work/tables" || continue
      nft list table "$version" "$table" 2>/dev/null | grep -q 'chain KUBE-' || continue
      echo "k8snet: nftables has a table $version $table with chains KUBE-*, and $1-nft is not installed: it was not touched" >&2
      unseen=yes
      left=yes
    done
  else
    echo "k8snet: neither $1-nft nor nft can tell whether $1 has rules in the nf_tables back end too" >&2
    unseen=yes
  fi
}

# has_table TOOL TABLE: it can be read. In the legacy back end a table that is not there stays so.
has_table() {
  case $("\${1%-nft}" --version 2>/dev/null) in
    *nf_tables*) case $1 in *-legacy) : ;; *) return 0 ;; esac ;;
    *) case $1 in *-nft) return 0 ;; esac ;;
  esac
  legacy_tables "$1" | grep -qx "$2"
}

# say_gone WHAT REST: what was looked for is gone, as far as anybody could look.
say_gone() {
  if [ "$unseen" = no ]; then
    echo "k8snet: $1 are gone$2" >&2
  else
    echo "k8snet: $1 are gone from where this script could look, which is not everywhere$2" >&2
  fi
  [ "$left" = no ] || exit 1
}

`;
