import type { Family } from '../../common/addresses/family.ts';
import { policyTableName } from '../../netfilter/policyParts.ts';
import { heredoc } from '../heredoc.ts';
import { renewTables } from '../iptables/renewTables.ts';
import { noTable } from '../noTable.ts';
import { noUndo, shellPrelude } from '../shellPrelude.ts';

/** A POSIX shell script that brings our tables to the rules of the transaction: of all families, or of none. */
export function nftablesPolicyScript(transaction: string, families: readonly Family[]): string {
  const names = families.map((family) => (family === 'ipv4' ? 'ip' : 'ip6')).join(' ');
  return [
    shellPrelude("Brings this node's NetworkPolicy tables to the compiled rules."),
    `${noUndo}${renewTables}need awk nft\n`,
    '# One transaction replaces the rules of hooks that stay: there is no moment without rules.\n',
    'cat >"$work/rules" ',
    ...heredoc([transaction]),
    `renew_tables ${policyTableName} ${names} || fail 'nft refused the policies; what was loaded before is still there'\n`,
    `\ndone=yes\necho 'k8snet: the policies are loaded' >&2\n`,
  ].join('');
}

/** The script that removes our tables, whether they are there or not. */
export function nftablesPolicyRemovalScript(families: readonly Family[]): string {
  return [
    shellPrelude("Removes the NetworkPolicy tables of earlier loads: this node's policies are gone."),
    `${noUndo}need nft\n`,
    'cat >"$work/rules" ',
    ...heredoc(families.map(noTable)),
    `nft -f "$work/rules" || fail 'nft could not delete the tables'\n`,
    `\ndone=yes\necho 'k8snet: no policies are left to enforce' >&2\n`,
  ].join('');
}
