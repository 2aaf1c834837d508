import type { UserspaceDialect } from '../../dialect/userspace/userspaceDialect.ts';
import { userspaceChains, userspaceRules } from '../../emit/userspace/emitUserspace.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import type { UserspacePlan } from '../../plan/planUserspace.ts';
import { shellPrelude } from '../shellPrelude.ts';

/**
 * A POSIX shell script that brings a node to the rules of userspace mode with single commands, as kube-proxy of that time
 * did: it empties the chains, as that did when it started, then adds what is missing. If a command fails, the former
 * rules of the chains come back. All text comes from checked names and the mode's own comments, so that single quotes
 * keep each comment whole.
 */
export function* userspaceScript(plan: UserspacePlan, dialect: UserspaceDialect): Iterable<string> {
  const tool = plan.family === 'ipv4' ? 'iptables' : 'ip6tables';
  yield shellPrelude("Brings this node's iptables to the rules that kube-proxy would write in userspace mode.");
  yield `tool=${tool}\nchains='${userspaceChains.map(([, chain]) => chain).join(' ')}'\n`;
  yield functions;
  for (const [table, chain] of userspaceChains) yield `chain ${table} ${chain}\n`;
  for (const { table, rule, place } of userspaceRules(plan, dialect)) {
    const words = printRule(rule, 'save', plan.family).slice(`-A ${rule.chain} `.length).replaceAll('"', "'");
    yield `rule ${table} ${place === 'first' ? '-I' : '-A'} ${rule.chain} ${words}\n`;
  }
  yield "\ndone=yes\necho 'k8snet: the rules are loaded' >&2\n";
}

const functions = `# Loads the former rules of the chains.
undo() {
  [ -s "$work/old" ] || return 0
  awk -v names="$chains" '
    BEGIN { split(names, list, " "); for (i in list) ours[list[i]] = 1 }
    /^[*]/ { print }
    /^:/ && (substr($1, 2) in ours) { print }
    /^-A / && ($2 in ours) { print }
    /^COMMIT/ { print }
  ' "$work/old" | "$tool-restore" -w 5 --noflush || echo "k8snet: cannot put the former rules back" >&2
}

# chain TABLE CHAIN: it must exist, and be empty.
chain() {
  "$tool" -w 5 -t "$1" -N "$2" 2>/dev/null || "$tool" -w 5 -t "$1" -F "$2" || fail "cannot make chain $2"
}

# rule TABLE HOW CHAIN RULE...: the rule must be in the chain.
rule() {
  table=$1 how=$2 into=$3
  shift 3
  "$tool" -w 5 -t "$table" -C "$into" "$@" 2>/dev/null ||
    "$tool" -w 5 -t "$table" "$how" "$into" "$@" || fail "cannot add a rule to $into"
}

need awk $tool $tool-save $tool-restore
"$tool-save" >"$work/old" || fail "$tool-save failed"

`;
