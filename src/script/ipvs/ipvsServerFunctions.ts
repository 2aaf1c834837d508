/** Functions of the apply script that change virtual servers and their time-outs, and the way back. */
export const ipvsServerFunctions = `# difference FROM TO: what leads from one state to the other, additions to ipvs.add, removals to ipvs.del. Only services of
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

`;
