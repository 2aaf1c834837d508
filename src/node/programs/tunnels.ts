/** What carries packets between nodes behind a device that a network plug-in created under this name. */
export interface Tunnel {
  /** Its name in a sentence: `UDP as VXLAN`. */
  readonly carrier: string;
  /** The UDP port that the plug-in uses by default. */
  readonly port?: number;
  /** Bytes that it adds to each packet over IPv4, without Ethernet headers that it does not carry. */
  readonly overhead: number;
  /** The plug-in sets the size of packets on routes instead of devices. */
  readonly hasRouteMtu?: true;
}

/** By the name of the device; undefined: not a known tunnel. */
export function tunnelOf(device: string): Tunnel | undefined {
  return tunnels.find(({ name }) => name.test(device));
}

/** Bridges that plug-ins attach Pods to. */
export function isPodBridge(device: string): boolean {
  return /^(?:cni|cbr|kube-bridge|weave$|podman)\d*/.test(device);
}

const vxlan = { carrier: 'UDP as VXLAN', overhead: 50 } as const;
const geneve = { carrier: 'UDP as Geneve', overhead: 50, port: 6081 } as const;

const tunnels: readonly (Tunnel & { readonly name: RegExp })[] = [
  { name: /^flannel(?:-v6)?\.\d+$/, ...vxlan, port: 8472 },
  { name: /^vxlan(?:-v6)?\.calico$/, ...vxlan, port: 4789 },
  { name: /^cilium_vxlan$/, ...vxlan, port: 8472, hasRouteMtu: true },
  { name: /^cilium_geneve$/, ...geneve, hasRouteMtu: true },
  { name: /^(?:antrea-tun0|genev_sys_6081)$/, ...geneve, hasRouteMtu: true },
  { name: /^(?:tunl0|flannel\.ipip)$/, carrier: 'IP (IPIP, protocol 4)', overhead: 20 },
  { name: /^(?:flannel-wg|wireguard\.cali)$/, carrier: 'UDP, encrypted by WireGuard', overhead: 60 },
  { name: /^cilium_wg0$/, carrier: 'UDP, encrypted by WireGuard', overhead: 60, hasRouteMtu: true },
];
