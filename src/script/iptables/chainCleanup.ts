import { iptablesTools } from './iptablesTools.ts';

/** What is removed of a table, in awk. */
export interface ChainCleanup {
  /** The words behind `clean` in its comment. */
  readonly parameters: string;
  /** Options of awk. */
  readonly variables?: string;
  /** Functions, and patterns that read the table: they fill `chains`, `lines`, `from` and `to`. */
  readonly reading: string;
  /** Moves chains that others use into `kept`, when all is read. */
  readonly keeping: string;
  /** Prints `rule`, which deletes the rule `n`, if that must go. */
  readonly deleting: string;
}

/** The shell function `clean`, which takes chains and the jumps to them out of a table. */
export function cleanFunction({ parameters, variables = '', reading, keeping, deleting }: ChainCleanup): string {
  return `${iptablesTools}# clean ${parameters}: one run of TOOL-restore takes out the jumps and the chains. Then it looks again.
clean() {
  has_table "$1" "$2" || return 0
  stale_chains "$@" || return 0
  "$1-restore" -w 5 --noflush <"$work/clean" || fail "$1-restore failed; table $2 is as it was"
  if stale_chains "$@" 2>/dev/null; then fail "table $2 of $1 has the rules again: somebody writes them, perhaps kube-proxy"; fi
}

# stale_chains ${parameters}: there is something to take out, and $work/clean does it.
stale_chains() {
  "$1-save" -t "$2" >"$work/now" 2>"$work/why" || {
    cat "$work/why" >&2
    fail "$1-save cannot read table $2"
  }
  awk ${variables}'
${reading}    END {
${keeping}      if (table == "") exit
      print table
      for (chain in chains) if (ours(chain)) print ":" chain " - [0:0]"
      for (n = 1; n <= number; n++) {
        rule = lines[n]
        sub(/^-A /, "-D ", rule)
${deleting}      }
      for (chain in chains) if (ours(chain)) print "-X " chain
      print "COMMIT"
      for (chain in kept) print "k8snet: " chain " stays: other programs use it" >"/dev/stderr"
    }
  ' "$work/now" >"$work/clean"
  grep -q '^[:-]' "$work/clean"
}
`;
}

/** Notes an appended rule: its chain, and where it leads. */
export const noteRule = `      lines[++number] = $0
      from[number] = $2
      for (i = NF; i > 2; i--) if ($i == "-j" || $i == "-g") { to[number] = $(i + 1); break }
`;

/** Runs commands for every family and back end. */
export function forEachTool(commands: string): string {
  return `find_tools
for tool in $tools; do
${commands}done
`;
}

/** Reads a table of which the chains in `names` are removed; what follows is a rule. */
export const readNamedChains = `    function ours(chain) { return (chain in chains) && !(chain in kept) }
    BEGIN { split(names, list, " "); for (i in list) named[list[i]] = 1 }
    /^[*]/ { table = $1 }
    /^:/ { chain = substr($1, 2); builtin[chain] = $2 != "-"; if (chain in named) chains[chain] = 1 }
    /^-A / {
`;
