/** Functions of the apply script that change rules of iptables, and the way back. */
export const ipvsRuleFunctions = `# chain TOOL TABLE CHAIN: the chain must exist. It is kubelet's, so what is in it stays.
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

`;
