import { localPodsSet, policyPatterns } from '../../netfilter/policyParts.ts';
import { restoreLoaded } from '../shellPrelude.ts';
/**
 * Functions of the scripts that load and remove policies in iptables. New sets come first, then the chains of a family
 * change in one run, and sets that nothing asks any more go last: the chains of either rule set only ever see sets of
 * their own. A set that exists already is filled aside and swapped in; in the strict layout that changes nothing, since
 * its name tells what it holds, unless an earlier run was cut off while it filled the set.
 */
export const policyFunctions = `prepared=
loaded=
swapped=no
shares_sets=no
families='inet inet6'

# The way back: former contents of sets, former rules.
undo() {
  if [ "$swapped" = yes ]; then
    ipset restore <"$work/swap" || echo 'k8snet: cannot put the former sets back' >&2
  fi
${restoreLoaded('policies')}  if [ -e "$work/made" ]; then
    destroy_sets "$work/made" || echo 'k8snet: unused new sets are left behind' >&2
  fi
}

# prepare_sets: makes and fills the sets that are missing, and fills a spare set for each that exists; if old and new rules
# share sets, a second one for load_aside. Spare sets of a run that was cut off may be asked by its rules: they go at the end.
prepare_sets() {
  : >"$work/aside"
  ipset save >"$work/sets.old" || fail 'ipset save failed'
  : >"$work/made"
  : >"$work/swap"
  awk -v made="$work/made" -v swap="$work/swap" -v shares="$shares_sets" -v map="$work/aside" '
    function spare(set) {
      do { name = "k8snet-np-" ++count } while (name in known)
      print name >made
      return name
    }
    function rest(line) { sub(/^[^ ]+ [^ ]+ /, "", line); return line }
    file == "old" { if ($1 == "create") known[$2] = 1; next }
    $1 == "create" {
      filled[$2] = $2
      if ($2 in known) {
        filled[$2] = spare()
        print "swap " filled[$2] " " $2 >swap
        if (shares == "yes") {
          twin[$2] = spare()
          print twin[$2] " " $2 >map
          print "create " twin[$2] " " rest($0)
        }
      } else print $2 >made
      print "create " filled[$2] " " rest($0)
    }
    $1 == "add" {
      print "add " filled[$2] " " rest($0)
      if ($2 in twin) print "add " twin[$2] " " rest($0)
    }
  ' file=old "$work/sets.old" file=want "$work/sets.want" >"$work/sets.load"
  ipset restore <"$work/sets.load" || fail 'ipset refuses the sets; nothing was changed'
}

# destroy_sets FILE: all at once; the kernel may let go of sets a moment after the rules that asked them are gone.
destroy_sets() {
  sed 's/^/destroy /' "$1" >"$work/destroy"
  [ -s "$work/destroy" ] || return 0
  for try in 1 2 3 4 5 6; do
    ipset restore <"$work/destroy" 2>"$work/destroy.why" && return 0
    ipset save >"$work/sets.now" || return 1
    awk '
      file == "now" { if ($1 == "create") now[$2] = 1; next }
      $2 in now
    ' file=now "$work/sets.now" file=left "$work/destroy" >"$work/destroy.left"
    : >"$work/destroy"
    while read -r verb set; do
      ipset "$verb" "$set" 2>"$work/destroy.why" || echo "$verb $set" >>"$work/destroy"
    done <"$work/destroy.left"
    [ -s "$work/destroy" ] || return 0
    [ "$try" = 6 ] || sleep 1
  done
  cat "$work/destroy.why" >&2
  return 1
}

# prepare TOOL: from TOOL.new, TOOL.jumps and the rules of now make TOOL.load, which also removes chains that are gone and
# moves the jumps to the first places, and TOOL.back, the way back. Chains and jumps change in one run of TOOL-restore.
prepare() {
  "$1-save" -t filter >"$work/$1.old" || fail "$1-save failed"
  awk -v back="$work/$1.back" '
    function ours(chain) { return chain ~ /^${policyPatterns.chain}$/ }
    function target(i) { for (i = NF; i > 2; i--) if ($i == "-j" || $i == "-g") return $(i + 1); return "" }
    function body(line) { sub(/^-A [^ ]+ /, "", line); return line }
    kind == "new" { if (/^:/) known[substr($1, 2)] = 1; if (/^:/ || /^-A/) text[++size] = $0; next }
    kind == "jumps" { jumps[++jump] = $0; next }
    /^:/ && ours(substr($1, 2)) { before[++count] = substr($1, 2); had[substr($1, 2)] = 1 }
    /^-A/ && ours($2) { rules[++rule] = $0 }
    /^-A/ && !ours($2) && ours(target()) { former[++hook] = $0 }
    END {
      print "*filter"
      for (i = 1; i <= count; i++) if (!(before[i] in known)) print ":" before[i] " - [0:0]"
      for (i = 1; i <= size; i++) print text[i]
      for (i = 1; i <= hook; i++) { line = former[i]; sub(/^-A/, "-D", line); print line }
      for (i = jump; i > 0; i--) { split(jumps[i], word, " "); print "-I " word[2] " 1 " body(jumps[i]) }
      for (i = 1; i <= count; i++) if (!(before[i] in known)) print "-X " before[i]
      print "COMMIT"

      print "*filter" >back
      for (i = 1; i <= count; i++) print ":" before[i] " - [0:0]" >back
      for (chain in known) if (!(chain in had)) print ":" chain " - [0:0]" >back
      for (i = 1; i <= rule; i++) print rules[i] >back
      for (i = 1; i <= jump; i++) { line = jumps[i]; sub(/^-A/, "-D", line); print line >back }
      for (i = hook; i > 0; i--) { split(former[i], word, " "); print "-I " word[2] " 1 " body(former[i]) >back }
      for (chain in known) if (!(chain in had)) print "-X " chain >back
      print "COMMIT" >back
    }
  ' kind=new "$work/$1.new" kind=jumps "$work/$1.jumps" kind=old "$work/$1.old" >"$work/$1.load"
  "$1-restore" --test --noflush <"$work/$1.load" || fail "$1-restore refuses the policies; nothing was changed"
  prepared="$prepared $1"
}

# has_policies TOOL: the node has the tool, and chains of policies in it.
has_policies() {
  command -v "$1-save" >/dev/null 2>&1 && command -v "$1-restore" >/dev/null 2>&1 || return 1
  "$1-save" -t filter 2>/dev/null >"$work/$1.old" || return 1
  awk '/^:${policyPatterns.chain} / { found = 1 } END { exit !found }' \\
    "$work/$1.old"
}

# prepare_gone TOOL: nothing is wanted of this family; what is left of it goes, if the node has the tool at all.
prepare_gone() {
  has_policies "$1" || return 0
  : >"$work/$1.new"
  : >"$work/$1.jumps"
  prepare "$1"
}

# load_aside: loads the new rules with other sets in place of those that they share with the old rules, whose contents can
# then be swapped while nothing asks them; load_rules comes after that. Without it, old rules would meet new contents.
load_aside() {
  [ -s "$work/aside" ] || return 0
  for tool in $prepared; do
    awk '
      file == "map" { twin[$2] = $1; next }
      { for (i = 2; i <= NF; i++) if ($(i - 1) == "--match-set" && ($i in twin)) sub("--match-set " $i " ", "--match-set " twin[$i] " ") }
      { print }
    ' file=map "$work/aside" file=load "$work/$tool.load" >"$work/$tool.aside"
    "$tool-restore" -w 5 --noflush <"$work/$tool.aside" || fail "$tool-restore failed"
    loaded="$tool $loaded"
  done
  swap_sets
  again=$prepared
  prepared=
  for tool in $again; do
    # The way back stays the one to the rules before this run.
    cp "$work/$tool.back" "$work/$tool.first"
    prepare "$tool"
    cp "$work/$tool.first" "$work/$tool.back"
  done
}

swap_sets() {
  [ "$swapped" = no ] || return 0
  swapped=yes
  ipset restore <"$work/swap" || fail 'ipset failed'
}

load_rules() {
  for tool in $prepared; do
    "$tool-restore" -w 5 --noflush <"$work/$tool.load" || fail "$tool-restore failed"
    case " $loaded" in
      *" $tool "*) : ;;
      *) loaded="$tool $loaded" ;;
    esac
  done
}

# remove_sets: the spare sets, and sets of policies that are gone. It runs when all rules are loaded: a set that cannot be
# destroyed is no reason to put the former rules back.
remove_sets() {
  awk -v families=" $families " '
    function ours(set, bare) {
      bare = set
      sub(/^inet6:/, "", bare)
      if (index(families, bare == set ? " inet " : " inet6 ") == 0) return 0
      return bare == "${localPodsSet}" || (bare ~ /^${policyPatterns.set}$/ && length(bare) == 25)
    }
    file == "want" { if ($1 == "create") wanted[$2] = 1; next }
    file == "made" { if ($1 ~ /^k8snet-np-/) print $1; next }
    $1 == "create" && $2 ~ /^k8snet-np-[0-9A-Z]+$/ { print $2; next }
    $1 == "create" && ours($2) && !($2 in wanted) { print $2 }
  ' file=want "$work/sets.want" file=made "$work/made" file=old "$work/sets.old" >"$work/gone"
  destroy_sets "$work/gone" && return 0
  while read -r verb set; do
    echo "k8snet: the set $set is no longer needed and cannot be destroyed" >&2
  done <"$work/destroy"
  return 1
}

`;
