/**
 * The functions of the apply script. Whatever changes something puts its way back in front of `ways` before it starts;
 * `undo` walks that list. Kernel settings, jumps and kube-ipvs0 itself may stay: without the rest they do nothing.
 */
export const scriptFunctions = `export work
device=kube-ipvs0
ways=

undo() {
  for way in $ways; do
    # In a shell of its own, so that a step that fails does not keep the others from being undone.
    ("$way") || echo "k8snet: cannot undo everything ($way)" >&2
  done
}

# files: the data below, taken apart.
files() {
  awk '
    /^K8SNET_FILE / { out = ENVIRON["work"] "/" $2; printf "" >out; next }
    { print >out }
  ' || fail 'cannot write the data'
}

# load_modules NAME...: a module that cannot be loaded may be built into the kernel, so only a kernel without IPVS is an
# error. What lacks then fails later; this says why.
load_modules() {
  # shellcheck disable=SC2086
  need awk cmp ip ipset ipvsadm $tools
  for tool in $tools; do need "$tool-save" "$tool-restore"; done
  if command -v modprobe >/dev/null 2>&1; then
    for module in "$@"; do
      modprobe "$module" 2>/dev/null || [ -d "/sys/module/$module" ] ||
        echo "k8snet: cannot load the kernel module $module; this is not an error if it is built in" >&2
    done
  fi
  ipvsadm -Sn >/dev/null || fail 'this kernel has no IPVS (module ip_vs)'
}

# prepare_sets: sets whose members differ are filled under another name, k8snet-N (KUBE-... has no room for an ending);
# missing ones are made, still empty. No rule sees any of it.
prepare_sets() {
  ipset save >"$work/sets.live" || fail 'ipset save failed'
  awk '
    function header(i, text) {
      text = $3
      for (i = 4; i <= NF; i++) if ($i ~ /^(hashsize|bucketsize|initval)$/) i++; else text = text " " $i
      return text
    }
    function family(i) {
      for (i = 4; i < NF; i++) if ($i == "family") return $(i + 1)
      return ""
    }
    BEGIN { to = ENVIRON["work"] "/sets." }
    file == "live" && $1 == "create" && $2 ~ /^k8snet-[0-9]+$/ { print "destroy " $2 >(to "left") }
    file == "live" && $1 == "create" { head[$2] = header(); kind[$2] = $3 " " family() }
    file == "live" && $1 == "add" { there[$0] = 1; lives[$2]++ }
    file == "want" && $1 == "create" && ($2 in head) {
      if (kind[$2] != $3 " " family()) print $2 >(to "conflict")
      if (head[$2] != header()) differs[$2] = 1
    }
    file == "want" && $1 == "add" { wants[$2]++; if ($0 in there) hits[$2]++ }
    file == "fill" && $1 == "create" {
      number++
      spare = ""
      if (!($2 in head)) { print "destroy " $2 >(to "made"); print >(to "fill") }
      if (($2 in differs) || hits[$2] + 0 != wants[$2] + 0 || hits[$2] + 0 != lives[$2] + 0) {
        spare = "k8snet-" number
        print "swap " $2 " " spare >(to "swap")
        print "destroy " spare >(to "spare")
        $2 = spare
        print >(to "fill")
      }
    }
    file == "fill" && $1 == "add" && spare != "" { $2 = spare; print >(to "fill") }
  ' file=live "$work/sets.live" file=want "$work/sets.want" file=fill "$work/sets.want" || fail 'awk failed'
  if [ -s "$work/sets.conflict" ]; then
    fail "a set of another type has the name $(head -n 1 "$work/sets.conflict"); destroy it first"
  fi
  destroy left || fail 'cannot destroy the sets of an earlier run'
  [ -s "$work/sets.fill" ] || return 0
  ways="unmake_sets $ways"
  ipset restore <"$work/sets.fill" || fail 'ipset refuses the sets; nothing was changed'
}

unmake_sets() {
  destroy spare
  destroy made
}

# destroy LIST: those of the list that are there. One run is enough unless something went wrong before.
destroy() {
  [ -s "$work/sets.$1" ] || return 0
  ipset restore <"$work/sets.$1" 2>/dev/null && return 0
  while read -r _ set; do
    ipset destroy "$set" 2>/dev/null || ! ipset -n list "$set" >/dev/null 2>&1 || return 1
  done <"$work/sets.$1"
}

# swap_sets: from here on rules see the new members. The spare sets now hold the old ones: the way back.
swap_sets() {
  [ -s "$work/sets.swap" ] || return 0
  ways="swap_back $ways"
  ipset restore <"$work/sets.swap" || fail 'ipset cannot swap the sets'
}

# Swaps stop at the first that fails, so those that were done are told by what the sets hold.
swap_back() {
  ipset save >"$work/sets.now" || return 1
  awk '
    file == "before" && $1 == "add" { before[$2]++; was[$0] = 1 }
    file == "now" && $1 == "add" { now[$2]++; if ($0 in was) same[$2]++ }
    file == "swap" && (same[$2] + 0 != now[$2] + 0 || same[$2] + 0 != before[$2] + 0) { print }
  ' file=before "$work/sets.live" file=now "$work/sets.now" file=swap "$work/sets.swap" >"$work/sets.back"
  [ ! -s "$work/sets.back" ] || ipset restore <"$work/sets.back"
}

# chain TOOL TABLE CHAIN: the chain must exist. It is kubelet's, so what is in it stays.
chain() {
  "$1" -w 5 -t "$2" -N "$3" 2>/dev/null || "$1" -w 5 -t "$2" -S "$3" >/dev/null || fail "cannot make chain $3"
}

# prepare_rules TOOL: our chains as they are go to TOOL.old. Rules are loaded only if those differ from TOOL.want, jumps
# (TOOL.jumps) only if they are missing.
prepare_rules() {
  "$1-save" >"$work/$1.live" || fail "$1-save failed"
  : >"$work/$1.old"
  awk -v tool="$1" '
    BEGIN { to = ENVIRON["work"] "/" tool "." }
    /^[*]/ { table = $1 }
    { sub(/ [[][0-9]+:[0-9]+[]]$/, "") }
    file == "want" && /^:/ { name = table " " substr($1, 2); names[name] = 1; order[++count] = name }
    file == "live" && /^:/ { there[table " " substr($1, 2)] = 1 }
    file == "live" && /^-A / {
      if ((table " " $2) in names) rules[table " " $2] = rules[table " " $2] $0 "\\n"
      else jumps[table " " $0] = 1
    }
    file == "jumps" && /^-A / && !((table " " $0) in jumps) {
      sub(/^-A /, "-I ")
      missing[table] = missing[table] $0 "\\n"
    }
    END {
      for (i = 1; i <= count; i++) {
        split(order[i], part, " ")
        if (part[1] != last) print last = part[1] >(to "old")
        if (order[i] in there) print ":" part[2] " - [0:0]" >(to "old")
      }
      last = ""
      for (i = 1; i <= count; i++) {
        split(order[i], part, " ")
        if (part[1] != last) print last = part[1] >(to "old")
        printf "%s", rules[order[i]] >(to "old")
      }
      for (table in missing) printf "%s\\n%sCOMMIT\\n", table, missing[table] >(to "missing")
    }
  ' file=want "$work/$1.want" file=live "$work/$1.live" file=jumps "$work/$1.jumps" || fail 'awk failed'
  if cmp -s "$work/$1.old" "$work/$1.want"; then
    rm "$work/$1.new"
  else
    "$1-restore" --test --noflush <"$work/$1.new" || fail "$1-restore refuses the rules; nothing was changed"
  fi
}

# load_rules TOOL: one run changes a table as a whole or not at all. Jumps are inserted at the top, in kube-proxy's order;
# those that are there stay where they are.
load_rules() {
  if [ -e "$work/$1.new" ]; then
    ways="\${1}_back $ways"
    "$1-restore" -w 5 --noflush --counters <"$work/$1.new" || fail "$1-restore failed"
  fi
  [ ! -s "$work/$1.missing" ] || "$1-restore" -w 5 --noflush <"$work/$1.missing" || fail "$1-restore failed"
}

iptables_back() { rules_back iptables; }
ip6tables_back() { rules_back ip6tables; }

# rules_back TOOL: our chains get their old rules; other chains of the table may have changed meanwhile and stay.
rules_back() {
  awk '
    /^[*]/ { table = $1; if (file == "names") order[++count] = table }
    /^:/ && file == "names" { chains[table] = chains[table] $0 "\\n" }
    /^-A / && file == "rules" { rules[table] = rules[table] $0 "\\n" }
    END { for (i = 1; i <= count; i++) printf "%s\\n%s%sCOMMIT\\n", order[i], chains[order[i]], rules[order[i]] }
  ' file=names "$work/$1.want" file=rules "$work/$1.old" >"$work/$1.back"
  "$1-restore" -w 5 --noflush <"$work/$1.back"
}

# compare_addresses: what the device lacks of the compiled families goes to addresses.add, what it has too much to
# addresses.stale.
compare_addresses() {
  ip -o addr show dev "$device" scope global >"$work/addresses.all" || return 1
  : >"$work/addresses.add"
  : >"$work/addresses.stale"
  awk -v families=" $families " '
    BEGIN { to = ENVIRON["work"] "/addresses." }
    file == "want" { want[$1] = 1; order[++count] = $1; next }
    index(families, " " $3 " ") {
      live[$4] = 1
      if (!($4 in want)) print $4 >(to "stale")
    }
    END { for (i = 1; i <= count; i++) if (!(order[i] in live)) print order[i] >(to "add") }
  ' file=want "$work/addresses.want" file=live "$work/addresses.all" || fail 'awk failed'
}

add_addresses() {
  [ -e "/sys/class/net/$device" ] || ip link show dev "$device" >/dev/null 2>&1 || ip link add "$device" type dummy ||
    fail "cannot make $device"
  compare_addresses || fail "cannot read the addresses of $device"
  cp "$work/addresses.add" "$work/addresses.added"
  : >"$work/addresses.removed"
  [ -s "$work/addresses.add" ] || return 0
  ways="addresses_back $ways"
  batch add addresses.add || fail "cannot add addresses to $device"
}

# batch VERB FILE: one run of ip for all addresses of the file. A tentative IPv6 address would not answer at once.
batch() {
  awk -v verb="$1" -v device="$device" '
    { print "addr " verb " " $1 " dev " device (verb == "add" && /:/ ? " nodad" : "") }
  ' "$work/$2" >"$work/batch"
  ip -force -batch "$work/batch"
}

# Some of the changes may not have been made.
addresses_back() {
  batch del addresses.added 2>/dev/null || :
  batch add addresses.removed 2>/dev/null || :
}

# difference FROM TO: what leads from one state to the other, additions to ipvs.add, removals to ipvs.del. Only services of
# the compiled families count; firewall marks are not kube-proxy's. Stale services in an excluded network stay. A change names the whole line: ipvsadm drops what an edit leaves out.
difference() {
  : >"$work/ipvs.add"
  : >"$work/ipvs.del"
  awk -v families=" $families " '
    function key() { return $2 " " $3 ($1 == "-a" ? " -r " $5 : "") }
    function number(hex, i, value) {
      for (i = 1; i <= length(hex); i++) value = value * 16 + index("123456789abcdef", substr(hex, i, 1))
      return value
    }
    function binary(value, width, text) {
      for (; width > 0; width--) { text = (value % 2) text; value = int(value / 2) }
      return text
    }
    # 4 or 6, then the bits of the address.
    function bits(address, part, half, first, second, i, text) {
      sub(/:[0-9]+$/, "", address)
      if (address !~ /^[[]/) {
        split(address, part, ".")
        for (i = 1; i <= 4; i++) text = text binary(part[i], 8)
        return "4" text
      }
      address = substr(address, 2, length(address) - 2)
      if (match(address, /[0-9]+[.][0-9.]+$/)) {
        split(substr(address, RSTART), part, ".")
        address = substr(address, 1, RSTART - 1) sprintf("%x:%x", part[1] * 256 + part[2], part[3] * 256 + part[4])
      }
      split(address, half, "::")
      first = split(half[1], part, ":")
      for (i = 1; i <= first; i++) text = text binary(number(part[i]), 16)
      second = split(half[2], part, ":")
      for (i = first + second; i < 8; i++) text = text binary(0, 16)
      for (i = 1; i <= second; i++) text = text binary(number(part[i]), 16)
      return "6" text
    }
    function isExcluded(address, i, own) {
      own = bits(address)
      for (i = 1; i <= excludes; i++) if (substr(own, 1, length(excluded[i])) == excluded[i]) return 1
      return 0
    }
    BEGIN { to = ENVIRON["work"] "/ipvs." }
    file == "excluded" { excluded[++excludes] = $1; next }
    $2 == "-f" || !index(families, $3 ~ /^[[]/ ? " inet6 " : " inet ") { next }
    file == "from" { from[key()] = $0; order[++count] = $0; next }
    {
      wanted[key()] = 1
      if (!(key() in from)) print >(to "add")
      else if (from[key()] != $0) { sub(/^-A/, "-E"); sub(/^-a/, "-e"); print >(to "add") }
    }
    END {
      for (i = 1; i <= count; i++) {
        $0 = order[i]
        if (key() in wanted) continue
        if ($1 == "-a" && (($2 " " $3) in wanted)) print "-d " key() >(to "del")
        if ($1 == "-A" && !isExcluded($3)) print "-D " key() >(to "del")
      }
    }
  ' file=excluded "$work/excluded" file=from "$work/$1" file=to "$work/$2"
}

# apply_difference: -R goes on after what the kernel refuses, so its status says little; the caller looks at the result.
apply_difference() {
  for part in ipvs.add ipvs.del; do
    [ ! -s "$work/$part" ] || ipvsadm -R <"$work/$part" || :
  done
}

change_services() {
  ipvsadm -Sn >"$work/ipvs.live" || fail 'ipvsadm -Sn failed'
  difference ipvs.live ipvs.want || fail 'awk failed'
  [ -s "$work/ipvs.add" ] || [ -s "$work/ipvs.del" ] || return 0
  ways="services_back $ways"
  apply_difference
  ipvsadm -Sn >"$work/ipvs.now" || fail 'ipvsadm -Sn failed'
  difference ipvs.now ipvs.want || fail 'awk failed'
  if [ -s "$work/ipvs.add" ] || [ -s "$work/ipvs.del" ]; then
    fail "ipvsadm could not do: $(cat "$work/ipvs.add" "$work/ipvs.del" | head -n 3)"
  fi
}

services_back() {
  ipvsadm -Sn >"$work/ipvs.now" || return 1
  difference ipvs.now ipvs.live || return 1
  apply_difference
}

# timeouts TCP TCPFIN UDP: 0 leaves a value as it is.
timeouts() {
  before=$(ipvsadm -Ln --timeout) || fail 'ipvsadm failed'
  before=\${before##*: }
  want=$(echo "$before $*" | awk '{ for (i = 1; i <= 3; i++) if ($(i + 3) > 0) $i = $(i + 3); print $1, $2, $3 }')
  [ "$before" != "$want" ] || return 0
  timeouts_before=$before
  ways="timeouts_back $ways"
  # shellcheck disable=SC2086
  ipvsadm --set $want || fail 'ipvsadm --set failed'
}

timeouts_back() {
  # shellcheck disable=SC2086
  ipvsadm --set $timeouts_before
}

# remove_addresses: last, so that a failure before has lost no address.
remove_addresses() {
  [ -s "$work/addresses.stale" ] || return 0
  cp "$work/addresses.stale" "$work/addresses.removed"
  case $ways in *addresses_back*) ;; *) ways="addresses_back $ways" ;; esac
  batch del addresses.stale || fail "cannot remove addresses of $device"
}

remove_sets() {
  destroy spare || echo 'k8snet: some sets named k8snet-N are left over; the next run removes them' >&2
}

`;
