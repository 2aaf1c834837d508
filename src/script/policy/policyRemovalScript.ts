import type { Family } from '../../common/addresses/family.ts';
import { policyPatterns } from '../../netfilter/policyParts.ts';
import { shellPrelude } from '../shellPrelude.ts';
import { policyFunctions } from './policyFunctions.ts';
import { nftablesPolicyRemovalScript } from './policyNftablesScript.ts';

export interface PolicyRemovalOptions {
  readonly backend: 'nftables' | 'iptables';
  readonly families: readonly Family[];
  /** Chains that a kube-router wrote are removed too: ours of that layout look the same. */
  readonly removesKubeRouters: boolean;
}

/**
 * The script of a node that no longer has policies: it removes what scripts of ours loaded before, and can be run where
 * there is nothing to remove.
 */
export function policyRemovalScript({ backend, families, removesKubeRouters }: PolicyRemovalOptions): string {
  if (backend === 'nftables') return nftablesPolicyRemovalScript(families);
  const prepare = removesKubeRouters ? 'prepare_gone' : 'prepare_former';
  return [
    shellPrelude("Removes the NetworkPolicy rules of earlier loads: this node's policies are gone."),
    policyFunctions,
    former,
    'need awk\n',
    `families='${families.map((family) => (family === 'ipv4' ? 'inet' : 'inet6')).join(' ')}'\n`,
    ...families.map((family) => `${prepare} ${family === 'ipv4' ? 'iptables' : 'ip6tables'}\n`),
    body,
  ].join('');
}

const former = `kept=no

# prepare_former TOOL: as prepare_gone, but chains of a kube-router stay: it accepts what passes, ours return it.
prepare_former() {
  has_policies "$1" || return 0
  if awk '/^-A ${policyPatterns.hook} .*-j ACCEPT$/ { found = 1 } END { exit !found }' "$work/$1.old"; then
    echo "k8snet: the policies in $1 are a kube-router's and stay; k8snet cleanup --mode policy removes them" >&2
    kept=yes
  else
    prepare_gone "$1"
  fi
}

`;

/** Without chains of ours, sets of our names that something asks are somebody else's. */
const body = `load_rules

done=yes
echo 'k8snet: no policies are left to enforce' >&2
if [ "$kept" = no ] && command -v ipset >/dev/null 2>&1; then
  : >"$work/sets.want"
  : >"$work/made"
  if [ -n "$prepared" ]; then
    ipset save >"$work/sets.old" || fail 'ipset save failed'
  else
    ipset list -t 2>/dev/null |
      awk '$1 == "Name:" { name = $2 } $1 == "References:" && $2 == 0 { print "create " name }' >"$work/sets.old"
  fi
  remove_sets
fi
`;
