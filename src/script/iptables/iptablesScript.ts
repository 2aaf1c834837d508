import type { Family } from '../../common/addresses/family.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import { inlinePostrouting } from '../../emit/iptables/fixedRules.ts';
import { jumpRules } from '../../emit/iptables/jumpRules.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import { serviceChainPattern } from '../../netfilter/proxyChains.ts';
import type { Sysctl } from '../../plan/sysctls.ts';
import { heredoc } from '../heredoc.ts';
import { restoreLoaded, shellPrelude } from '../shellPrelude.ts';

/** What the script of iptables mode needs of one family. */
export interface ScriptFamily {
  readonly family: Family;
  /** The text for iptables-restore, in pieces. */
  readonly restore: () => Iterable<string>;
}

/**
 * A POSIX shell script that brings a node to the compiled rules. It can be run again and again, tests all rules before it
 * changes any, removes the chains of Services that are gone, and puts the former rules of kube-proxy's chains back if a
 * load fails. Manifest text stands only in quoted here-documents, which the shell never reads.
 */
export function* iptablesScript(
  families: readonly ScriptFamily[],
  dialect: IptablesDialect,
  sysctls: readonly Sysctl[],
): Iterable<string> {
  yield shellPrelude("Brings this node's iptables to the rules that kube-proxy would write.");
  yield functions;
  const tools = families.map(({ family }) => tool(family));
  yield `need awk ${tools.map((name) => `${name} ${name}-save ${name}-restore`).join(' ')}\n\n`;
  for (const { family, restore } of families) {
    yield `cat >"$work/${tool(family)}.new" `;
    yield* heredoc(restore());
    yield `prepare ${tool(family)}\n\n`;
  }
  for (const { family } of families) {
    yield `\n`;
    for (const [table, chain] of ensuredChains(dialect)) yield `chain ${tool(family)} ${table} ${chain}\n`;
    yield `load ${tool(family)}\n`;
    for (const { table, rule } of jumpRules(dialect)) yield jumpCall(family, table, '-I', rule);
    if (dialect.postrouting === 'inline') yield jumpCall(family, 'nat', '-A', inlinePostrouting);
  }
  // After the rules: loading them is what loads conntrack, which most of these belong to.
  if (sysctls.length > 0) yield '\n';
  for (const { name, value } of sysctls) yield `setting ${name} ${value}\n`;
  yield `\ndone=yes\necho 'k8snet: the rules are loaded' >&2\n`;
}

function tool(family: Family): string {
  return family === 'ipv4' ? 'iptables' : 'ip6tables';
}

/** Jump rules are made of the dialect's own words; single quotes keep their comments whole. */
function jumpCall(family: Family, table: string, how: '-I' | '-A', rule: Rule): string {
  const words = printRule(rule, 'save', family).slice(`-A ${rule.chain} `.length).replaceAll('"', "'");
  return `jump ${tool(family)} ${table} ${how} ${rule.chain} ${words}\n`;
}

/** Chains that must exist besides those of the restore text. */
function ensuredChains(dialect: IptablesDialect): readonly (readonly [string, string])[] {
  const chains = new Map<string, readonly [string, string]>();
  const add = (table: string, chain: string) => chains.set(`${table} ${chain}`, [table, chain]);
  for (const { table, rule } of jumpRules(dialect)) if (rule.target?.kind === 'jump') add(table, rule.target.chain);
  if (dialect.ensuresMarkDrop || dialect.noLocalEndpoints === 'mark drop') add('nat', 'KUBE-MARK-DROP');
  if (dialect.hasCanary) for (const table of ['mangle', 'nat', 'filter']) add(table, 'KUBE-PROXY-CANARY');
  return [...chains.values()];
}

const functions = `loaded=

# Loads the way back of every tool whose rules were touched.
undo() {
${restoreLoaded('rules')}}

# prepare TOOL: from TOOL.new and the rules of now make TOOL.load, which also removes the chains of Services that are
# gone, and TOOL.back, the way back. The rules must pass the tool's own test before anything changes.
prepare() {
  for table in filter nat; do "$1-save" -t "$table" || fail "$1-save failed"; done >"$work/$1.old"
  awk '
    function ours(chain) { return chain ~ /${serviceChainPattern}/ }
    kind == "new" { if (/^:/) known[substr($1, 2)] = 1; next }
    /^[*]/ { table = $1 }
    kind == "old" {
      chain = substr($1, 2)
      if (/^:/ && table == "*nat" && !(chain in known) && ours(chain)) stale[++count] = chain
      next
    }
    /^COMMIT/ && table == "*nat" { for (i = 1; i <= count; i++) print "-X " stale[i] }
    { print }
    $1 == "*nat" { for (i = 1; i <= count; i++) print ":" stale[i] " - [0:0]" }
  ' kind=new "$work/$1.new" kind=old "$work/$1.old" kind=load "$work/$1.new" >"$work/$1.load"
  awk '
    function ours(chain) { return (chain in named) || chain ~ /${serviceChainPattern}/ }
    function declare(chain) {
      if (!((table, chain) in seen)) { seen[table, chain] = 1; heads[table, ++head[table]] = chain }
    }
    /^[*]/ { table = substr($1, 2); next }
    kind == "new" { if (/^:/) { named[substr($1, 2)] = 1; declare(substr($1, 2)) } next }
    /^:/ && ours(substr($1, 2)) { declare(substr($1, 2)) }
    /^-A / && ours($2) { rules[table, ++rule[table]] = $0 }
    END {
      split("filter nat", tables)
      for (t = 1; t <= 2; t++) {
        name = tables[t]
        print "*" name
        for (i = 1; i <= head[name]; i++) print ":" heads[name, i] " - [0:0]"
        for (i = 1; i <= rule[name]; i++) print rules[name, i]
        print "COMMIT"
      }
    }
  ' kind=new "$work/$1.new" kind=old "$work/$1.old" >"$work/$1.back"
  "$1-restore" --test --noflush <"$work/$1.load" || fail "$1-restore refuses the rules; nothing was changed"
}

# chain TOOL TABLE CHAIN: the chain must exist.
chain() {
  "$1" -w 5 -t "$2" -N "$3" 2>/dev/null || "$1" -w 5 -t "$2" -S "$3" >/dev/null || fail "cannot make chain $3"
}

# load TOOL: one run of TOOL-restore; it changes a table as a whole or not at all.
load() {
  loaded="$1 $loaded"
  "$1-restore" -w 5 --noflush --counters <"$work/$1.load" || fail "$1-restore failed"
}

# jump TOOL TABLE HOW CHAIN RULE...: the rule must be in the chain.
jump() {
  tool=$1 table=$2 how=$3 from=$4
  shift 4
  "$tool" -w 5 -t "$table" -C "$from" "$@" 2>/dev/null ||
    "$tool" -w 5 -t "$table" "$how" "$from" "$@" || fail "cannot add a rule to $from"
}

`;
