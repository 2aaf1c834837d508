import { policyTableName } from '../netfilter/policyParts.ts';
import { policyFunctions } from './policyFunctions.ts';
import { shellPrelude } from './shellPrelude.ts';

/**
 * A POSIX shell script that removes policies from a node, in both families and of every back end: our nftables tables,
 * and the chains, jumps and sets of the iptables layouts. Those have kube-router's names, so a kube-router's go as well.
 */
export function policyCleanupScript(): string {
  return `${shellPrelude('Removes NetworkPolicy rules from this node, and nothing else.')}${policyFunctions}${body}`;
}

const body = `need awk
found=no
if command -v nft >/dev/null 2>&1; then
  found=yes
  # A table that is not there cannot be deleted, so it is added first.
  for family in ip ip6; do
    printf 'add table %s ${policyTableName}\\ndelete table %s ${policyTableName}\\n' "$family" "$family"
  done >"$work/tables"
  nft -f "$work/tables" || fail 'nft could not delete the tables'
fi

for tool in iptables ip6tables; do
  command -v "$tool-restore" >/dev/null 2>&1 || continue
  found=yes
  prepare_gone "$tool"
done
[ "$found" = yes ] || fail 'neither nft nor iptables is installed'
load_rules

done=yes
if command -v ipset >/dev/null 2>&1; then
  : >"$work/sets.want"
  : >"$work/made"
  ipset save >"$work/sets.old" || fail 'ipset save failed'
  remove_sets
fi
echo 'k8snet: the policies are gone' >&2
`;
