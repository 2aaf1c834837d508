/** Chains that lead host ports to Pods: of the network plug-in portmap, and of kubenet before it. `table`: of nft. */
export function isPortmapChain(name: string, table: string): boolean {
  return /^(?:CNI-(?:HOSTPORT-DNAT$|DN-)|KUBE-(?:HOSTPORTS$|HP-))/.test(name) || table === 'cni_hostport';
}
