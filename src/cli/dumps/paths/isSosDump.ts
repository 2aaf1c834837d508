/** The files of an unpacked or packed sos report that show rules and the network of a node, by their paths. */
export function isSosDump(path: string): boolean {
  return sosDump.test(path);
}

const sosDump =
  /(?:^|\/)sos_commands\/[^/]+\/(?:ip6?tables\S*-(?:\w*L\w*|save)|nft_\S*list_ruleset|ipvsadm_-\w*n\w*|ipset_(?:list|save)|ip_-d_addr\w*|ip_(?:-6_)?route_show_table_all|conntrack_-L\S*|sysctl_-a|lsmod)$/;
