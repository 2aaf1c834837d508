import { policyTableName } from '../../netfilter/policyParts.ts';
import { iptablesTools } from '../iptables/iptablesTools.ts';
import { shellPrelude } from '../shellPrelude.ts';
import { policyFunctions } from './policyFunctions.ts';

/**
 * A POSIX shell script that removes policies from a node, in both families and of every back end: our nftables tables,
 * and the chains, jumps and sets of the iptables layouts. Those have kube-router's names, so a kube-router's go as well.
 */
export function policyCleanupScript(): string {
  return `${shellPrelude('Removes NetworkPolicy rules from this node, and nothing else.')}${policyFunctions}${iptablesTools}${body}`;
}

const body = `need awk grep
found=no
if command -v nft >/dev/null 2>&1; then
  found=yes
  # A table that is not there cannot be deleted, so it is added first.
  for family in ip ip6; do
    printf 'add table %s ${policyTableName}\\ndelete table %s ${policyTableName}\\n' "$family" "$family"
  done >"$work/tables"
  nft -f "$work/tables" || fail 'nft could not delete the tables'
fi

if [ "$found" = no ] || has_tool iptables || has_tool ip6tables; then
  find_tools
else
  tools=
  unseen=no
  left=no
fi
for tool in $tools; do
  has_table "$tool" filter || continue
  "$tool-save" -t filter >/dev/null 2>&1 || fail "$tool-save cannot read table filter"
  prepare_gone "$tool"
done
load_rules
for tool in $tools; do
  has_table "$tool" filter || continue
  if has_policies "$tool"; then fail "$tool has policies again: somebody writes them, perhaps kube-router"; fi
done

done=yes
if command -v ipset >/dev/null 2>&1; then
  : >"$work/sets.want"
  : >"$work/made"
  ipset save >"$work/sets.old" || fail 'ipset save failed'
  remove_sets
fi
say_gone 'the policies' ''
`;
