import { heredoc } from './heredoc.ts';
import { noUndo, shellPrelude } from './shellPrelude.ts';

/** A POSIX shell script that replaces our tables in one transaction: of all families, or of none. */
export function nftablesPolicyScript(transaction: string): string {
  return [
    shellPrelude("Brings this node's NetworkPolicy tables to the compiled rules."),
    `${noUndo}need nft\n`,
    '# The tables are made anew in the same transaction that fills them: there is no moment without rules.\n',
    'cat >"$work/policy" ',
    ...heredoc([transaction]),
    `nft -f "$work/policy" || fail 'nft refused the policies; what was loaded before is still there'\n`,
    `\ndone=yes\necho 'k8snet: the policies are loaded' >&2\n`,
  ].join('');
}
