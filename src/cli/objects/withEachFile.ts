/**
 * `-f *.yaml` arrives as `-f a.yaml b.yaml`: manifests after a path of -f, up to the next option, are its paths too.
 * `--filename` distinguishes them from paths with a -f of their own.
 */
export function withEachFile(argv: readonly string[]): readonly string[] {
  let isOpen = false;
  return argv.flatMap((word, at) => {
    const isPath = argv[at - 1] === '-f' || argv[at - 1] === '--filename';
    if (isPath || word.startsWith('-')) {
      isOpen = isPath;
      return [word];
    }
    return isOpen && /\.ya?ml$/.test(word) ? ['--filename', word] : [word];
  });
}
