import { canonicalIp } from '../../common/addresses/ip.ts';
import type { CompileInput } from '../../pipeline/compile.ts';

/** Addresses of all Nodes, and those that options give to the node. The objects are not validated yet. */
export function knownAddresses(target: CompileInput['target'], objects: CompileInput['objects']): readonly string[] {
  const ofNodes = objects.flatMap(({ kind, value }) => {
    const status = kind === 'Node' ? (value.status as { addresses?: unknown } | null | undefined) : undefined;
    const addresses: readonly unknown[] = Array.isArray(status?.addresses) ? status.addresses : [];
    return addresses.flatMap((one) => canonicalIp(String((one as { address?: unknown } | null)?.address)) ?? []);
  });
  return [...ofNodes, ...(target.nodeIPs ?? []), ...(target.nodeAddresses ?? []).map(addressOf)];
}

/** `192.168.10.1` of `192.168.10.1/24`. */
function addressOf(address: string): string {
  return address.split('/')[0] ?? '';
}
