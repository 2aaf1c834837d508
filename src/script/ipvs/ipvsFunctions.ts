import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { ipvsRuleFunctions } from './ipvsRuleFunctions.ts';
import { ipvsServerFunctions } from './ipvsServerFunctions.ts';
import { ipvsSetFunctions } from './ipvsSetFunctions.ts';

/**
 * The functions of the apply script. Whatever changes something puts its way back in front of `ways` before it starts;
 * `undo` walks that list. Kernel settings, jumps and kube-ipvs0 itself may stay: without the rest they do nothing.
 */
export const ipvsFunctions = `export work
device=${ipvsDevice}
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
      [ -d "/sys/module/$module" ] || modprobe "$module" 2>/dev/null ||
        echo "k8snet: cannot load the kernel module $module; this is not an error if it is built in" >&2
    done
  fi
  ipvsadm -Sn >/dev/null || fail 'this kernel has no IPVS (module ip_vs)'
}

${ipvsSetFunctions}${ipvsRuleFunctions}# compare_addresses: what the device lacks of the compiled families goes to addresses.add, what it has too much to
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

${ipvsServerFunctions}# remove_addresses: last, so that a failure before has lost no address.
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
