/**
 * Whether a file below `--out-dir` has a name that a compile run gives, in any mode: `specific` names are ours alone,
 * `common` ones may be anybody's.
 */
export function artefactName(name: string): 'specific' | 'common' | undefined {
  if (specific.test(name)) return 'specific';
  return common.has(name) ? 'common' : undefined;
}

const specific =
  /^(?:(?:iptables|nft)\.v[46]\.(?:save|restore)|(?:ipset|ipvsadm)\.v[46]\.save|ipvsadm\.list|addresses\.v[46]|policy\.sh|policy\.v[46]\.(?:nft|list|ipset|save|restore|ipset\.restore))$/;

const common: ReadonlySet<string> = new Set(['apply.sh', 'sysctl.conf', 'health.txt']);
