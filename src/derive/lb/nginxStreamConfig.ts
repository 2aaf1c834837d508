import { ipPort } from '../../common/addresses/ipPort.ts';
import type { Listener } from './balancerPlan.ts';

/**
 * The listeners as a complete configuration of nginx 1.22 or newer, line by line. Its stream module has to be built in
 * or loaded. All words come from checked names and parsed addresses.
 */
export function* nginxStreamConfig(listeners: readonly Listener[]): Iterable<string> {
  yield 'events {}';
  yield '';
  yield 'stream {';
  for (const [index, listener] of listeners.entries()) {
    if (index > 0) yield '';
    yield* upstream(listener);
    yield* server(listener);
  }
  yield '}';
}

function* upstream({ name, affinitySeconds, servers }: Listener): Iterable<string> {
  yield `    upstream ${name} {`;
  // nginx keeps no table of clients, so that affinity has no end.
  if (affinitySeconds !== undefined) yield '        hash $remote_addr consistent;';
  for (const { ip, port } of servers) yield `        server ${ipPort(ip, port)};`;
  yield '    }';
}

function* server({ name, address, family, port, protocol, sourceRanges, proxyProtocol }: Listener): Iterable<string> {
  const everywhere = family === 'ipv4' ? `${port}` : `[::]:${port} ipv6only=off`;
  yield '    server {';
  yield `        listen ${address === undefined ? everywhere : ipPort(address, port)}${protocol === 'UDP' ? ' udp' : ''};`;
  for (const range of sourceRanges) yield `        allow ${range};`;
  if (sourceRanges.length > 0) yield '        deny all;';
  yield '        proxy_connect_timeout 5s;';
  yield `        proxy_timeout ${protocol === 'UDP' ? '30s' : '1h'};`;
  if (proxyProtocol !== undefined) yield '        proxy_protocol on;';
  yield `        proxy_pass ${name};`;
  yield '    }';
}
