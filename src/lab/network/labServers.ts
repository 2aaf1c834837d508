import { canonicalIp } from '../../common/addresses/ip.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { isMachineAddress } from './isMachineAddress.ts';
import type { LabServer, SocketProtocol } from './labNetwork.ts';
import { serverName } from './serverName.ts';

/** What listens at each address: whatever a Service leads to, and the ports that containers declare. */
export function labServers({ model, policyManifests }: Compiled): ReadonlyMap<string, readonly LabServer[]> {
  const servers = new Map<string, Map<string, LabServer>>();
  const add = (text: string, port: number, protocol: string) => {
    const address = canonicalIp(text);
    if (address === undefined || !isMachineAddress(address)) return;
    const own = servers.get(address) ?? new Map<string, LabServer>();
    servers.set(address, own);
    const spoken = protocol.toLowerCase() as SocketProtocol;
    own.set(`${spoken} ${port}`, { protocol: spoken, port, address, name: serverName(address, port) });
  };
  for (const { protocol, endpoints } of model.servicePorts) {
    for (const { ip, port } of endpoints) add(ip, port, protocol);
  }
  for (const { value } of policyManifests.pods) {
    const ips = [value.status?.podIP, ...(value.status?.podIPs ?? []).map(({ ip }) => ip)];
    const ports = (value.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
    for (const { containerPort, protocol } of ports) {
      for (const ip of ips) if (ip) add(ip, containerPort, protocol ?? 'TCP');
    }
  }
  return new Map([...servers].map(([address, own]) => [address, [...own.values()]]));
}
