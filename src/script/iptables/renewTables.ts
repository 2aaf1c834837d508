/**
 * The shell function that brings tables of nftables to the rules in `$work/rules`, a text that keeps existing parts and
 * needs no other hook or type. Tables of an older layout that do are created again, in one transaction too. What the
 * rules do not contain is removed in a second one: no packet meets it any more, and a run that is cut off before leaves
 * it for the next.
 */
export const renewTables = `# renew_tables TABLE FAMILY...: the table has the rules in $work/rules, in all families or in none.
renew_tables() {
  table=$1
  shift
  if ! nft -f "$work/rules" 2>"$work/why"; then
    # Of an older layout, chains may have another hook and maps another type. Nothing but a new table changes that.
    for family in "$@"; do
      printf 'add table %s %s\\ndelete table %s %s\\n' "$family" "$table" "$family" "$table"
    done >"$work/anew"
    cat "$work/rules" >>"$work/anew"
    nft -f "$work/anew" || return 1
  fi
  : >"$work/now"
  for family in "$@"; do
    nft -t list table "$family" "$table" >>"$work/now" || return 1
  done
  stale_objects >"$work/stale"
  if [ -s "$work/stale" ] && ! nft -f "$work/stale"; then
    echo "k8snet: what older rules left in the tables $table stays; nothing asks it" >&2
  fi
}

# stale_objects: deletes the chains, sets and maps in $work/now that are not in $work/rules, sets and maps before chains.
stale_objects() {
  awk '
    function kind(object) { return object == "chain" ? "chain" : "set" }
    /^table [^ ]+ [^ ]+ [{]$/ { place = $2 " " $3; next }
    file == "rules" && $1 == "add" && ($2 == "chain" || $2 == "set" || $2 == "map") { wanted[kind($2) " " $3 " " $4 " " $5] = 1 }
    file == "rules" && $1 == "delete" && $2 == "chain" { delete wanted["chain " $3 " " $4 " " $5] }
    /^\\t(chain|set|map) [^ ]+ [{]$/ {
      if (file == "rules") wanted[kind($1) " " place " " $2] = 1
      else if (!((kind($1) " " place " " $2) in wanted)) {
        if ($1 == "chain") chains[++number] = "delete chain " place " " $2
        else print "delete " $1 " " place " " $2
      }
    }
    END { for (n = 1; n <= number; n++) print chains[n] }
  ' file=rules "$work/rules" file=now "$work/now"
}

`;
