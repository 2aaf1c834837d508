import type { BuiltinJump } from './iptablesDialect.ts';

/** The jumps from built-in chains that rows of the dialect table share, in the words that kube-proxy comments them with. */
export const portals = 'kubernetes service portals';
const externalPortals = 'kubernetes externally-visible service portals';
const firewall = 'kubernetes load balancer firewall';

export const natJumps: readonly BuiltinJump[] = [
  jump('nat', 'OUTPUT', 'KUBE-SERVICES', portals),
  jump('nat', 'PREROUTING', 'KUBE-SERVICES', portals),
];
export const natJumpsWithPostrouting: readonly BuiltinJump[] = [
  ...natJumps,
  jump('nat', 'POSTROUTING', 'KUBE-POSTROUTING', 'kubernetes postrouting rules'),
];
export const forwardJump = jump('filter', 'FORWARD', 'KUBE-FORWARD', 'kubernetes forwarding rules');
export const newInputExternal = onlyNew('INPUT', 'KUBE-EXTERNAL-SERVICES', externalPortals);
const newForwardExternal = onlyNew('FORWARD', 'KUBE-EXTERNAL-SERVICES', externalPortals);
export const newForward = onlyNew('FORWARD', 'KUBE-SERVICES', portals);
export const newOutput = onlyNew('OUTPUT', 'KUBE-SERVICES', portals);
export const newInput = onlyNew('INPUT', 'KUBE-SERVICES', portals);
const healthJump = jump('filter', 'INPUT', 'KUBE-NODEPORTS', 'kubernetes health check service ports');
const firewallJumps: readonly BuiltinJump[] = [
  onlyNew('INPUT', 'KUBE-PROXY-FIREWALL', firewall),
  onlyNew('OUTPUT', 'KUBE-PROXY-FIREWALL', firewall),
  onlyNew('FORWARD', 'KUBE-PROXY-FIREWALL', firewall),
];
export const guardJumps: readonly BuiltinJump[] = [
  jump('filter', 'INPUT', 'KUBE-FIREWALL', ''),
  jump('filter', 'OUTPUT', 'KUBE-FIREWALL', ''),
];
export const jumps120: readonly BuiltinJump[] = [
  newInputExternal,
  newForwardExternal,
  newForward,
  newOutput,
  forwardJump,
  ...natJumpsWithPostrouting,
];
const filterJumps121 = [newInputExternal, newForwardExternal, healthJump, newForward, newOutput, forwardJump];
export const jumps121: readonly BuiltinJump[] = [...filterJumps121, ...natJumpsWithPostrouting];
export const jumps125: readonly BuiltinJump[] = [...filterJumps121, ...firewallJumps, ...natJumpsWithPostrouting];

export function jump(table: 'filter' | 'nat', from: string, to: string, comment: string): BuiltinJump {
  return { table, from, to, onlyNew: false, comment };
}

function onlyNew(from: string, to: string, comment: string): BuiltinJump {
  return { table: 'filter', from, to, onlyNew: true, comment };
}
