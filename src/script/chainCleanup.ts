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
  /** Leaves the table alone if nothing is to be removed. */
  readonly skipsEmpty?: true;
}

/** The shell function `clean`, which takes chains and the jumps to them out of a table. */
export function cleanFunction({
  parameters,
  variables = '',
  reading,
  keeping,
  deleting,
  skipsEmpty,
}: ChainCleanup): string {
  return `# clean ${parameters}: one run of TOOL-restore takes out the jumps and the chains.
clean() {
  "$1-save" -t "$2" >"$work/now" 2>/dev/null || return 0
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
${skipsEmpty ? '  [ -s "$work/clean" ] || return 0\n' : ''}  "$1-restore" -w 5 --noflush <"$work/clean" || fail "$1-restore failed; table $2 is as it was"
}
`;
}

/** Notes an appended rule: its chain, and where it leads. */
export const noteRule = `      lines[++number] = $0
      from[number] = $2
      for (i = NF; i > 2; i--) if ($i == "-j" || $i == "-g") { to[number] = $(i + 1); break }
`;

/** Runs commands for iptables and ip6tables, as far as they are installed. */
export function forEachTool(commands: string): string {
  return `found=no
for tool in iptables ip6tables; do
  command -v "$tool-save" >/dev/null 2>&1 || continue
  command -v "$tool-restore" >/dev/null 2>&1 || continue
  found=yes
${commands}done
[ "$found" = yes ] || fail 'neither iptables nor ip6tables is installed'
`;
}

/** Reads a table of which the chains in `names` are removed; what follows is a rule. */
export const readNamedChains = `    function ours(chain) { return (chain in chains) && !(chain in kept) }
    BEGIN { split(names, list, " "); for (i in list) named[list[i]] = 1 }
    /^[*]/ { table = $1 }
    /^:/ { chain = substr($1, 2); builtin[chain] = $2 != "-"; if (chain in named) chains[chain] = 1 }
    /^-A / {
`;
