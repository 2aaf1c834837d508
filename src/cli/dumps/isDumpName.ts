/**
 * A file of a folder may be a dump by its name: not what `compile --out-dir` writes beside its `.save` files (text for
 * iptables-restore and nft -f, scripts, settings), nor manifests or what `collect` notes.
 */
export function isDumpName(name: string): boolean {
  return (
    !name.startsWith('.') && !/\.(?:restore|sh|conf|ya?ml|md|html|tar\.gz|tgz)$|^(?:health|errors)\.txt$/.test(name)
  );
}
