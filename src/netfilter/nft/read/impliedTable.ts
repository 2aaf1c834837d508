/** The table of chains and sets that are shown without one: kube-proxy's, of the family that their text tells. */
export function impliedTable(text: string): string {
  return /\bipv6_addr\b|\bip6 [sd]addr\b|\bicmpv6\b/.test(text) ? 'ip6 kube-proxy' : 'ip kube-proxy';
}
