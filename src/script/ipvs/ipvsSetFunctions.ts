/** Functions of the apply script that change sets, and the way back. */
export const ipvsSetFunctions = `# prepare_sets: sets whose members differ are filled under another name, k8snet-N (KUBE-... has no room for an ending);
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

`;
