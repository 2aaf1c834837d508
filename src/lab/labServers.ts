import { canonicalIp, isLoopbackIp, parseIp } from '../common/ip.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { LabServer, SocketProtocol } from './labNetwork.ts';

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

/** What a server answers with: where it was reached. */
export function serverName(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Not loopback, link-local IPv6, multicast or nothing at all: no machine of a lab can have those. */
export function isMachineAddress(address: string): boolean {
  const ip = parseIp(address);
  if (ip === undefined || isLoopbackIp(address)) return false;
  if (ip.family === 'ipv6') return ip.value > 1n && ip.value >> 118n !== 0x3fan && ip.value >> 120n !== 0xffn;
  const first = ip.value >>> 24;
  return first > 0 && first < 224;
}
