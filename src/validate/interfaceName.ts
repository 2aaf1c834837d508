/**
 * What keeps a text from being the name of a network interface (or the start of one), or undefined. kube-proxy looks at
 * none of it; the kernel does (dev_valid_name), and the name goes into rules.
 */
export function interfaceNameProblem(name: string): string | undefined {
  if (Buffer.byteLength(name) > 15) return 'is not an interface name: it has more than 15 bytes';
  if (/[\s/:\0-\x1f\x7f]/.test(name))
    return 'is not an interface name: it has a blank, "/", ":" or a control character';
  // iptables reads a final "+" as "anything from here on", nft takes quotes and stars.
  if (/["'`$;*+\\{}!#]/.test(name)) return 'is not an interface name that can be written into a rule';
  return name === '.' || name === '..' ? 'is not an interface name' : undefined;
}
