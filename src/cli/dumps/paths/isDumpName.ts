/**
 * Whether a file in a folder may be a dump, by its name: not what `compile --out-dir` writes with its `.save` files
 * (text for iptables-restore and nft -f, scripts, settings), and not manifests or the notes of `collect`.
 */
export function isDumpName(name: string): boolean {
  return (
    !name.startsWith('.') && !/\.(?:restore|sh|conf|ya?ml|md|html|tar\.gz|tgz)$|^(?:health|errors)\.txt$/.test(name)
  );
}
