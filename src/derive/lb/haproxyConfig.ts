import { ipPort } from '../../common/addresses/ipPort.ts';
import type { Listener, NodeServer } from './balancerPlan.ts';

/**
 * The listeners as a complete configuration of haproxy 2.6 or newer, line by line. All words come from checked names and
 * parsed addresses. There is no `maxconn`: haproxy would refuse to start where the limit of open files is lower.
 */
export function* haproxyConfig(listeners: readonly Listener[]): Iterable<string> {
  yield* [
    'defaults',
    '    mode tcp',
    '    balance roundrobin',
    '    option clitcpka',
    '    option srvtcpka',
    '    timeout connect 5s',
    '    timeout client 1h',
    '    timeout server 1h',
    '    timeout check 2s',
    '    default-server inter 2s fall 2 rise 2',
  ];
  for (const listener of listeners) {
    yield '';
    yield* section(listener);
  }
}

function* section(listener: Listener): Iterable<string> {
  const { name, affinitySeconds, sourceRanges, check, family } = listener;
  yield `listen ${name}`;
  yield `    bind ${bindAddress(listener)}`;
  // One range a line: a line has a limited number of words.
  for (const range of sourceRanges) yield `    acl from_allowed_range src ${range}`;
  if (sourceRanges.length > 0) yield '    tcp-request connection reject unless from_allowed_range';
  if (affinitySeconds !== undefined) {
    yield `    stick-table type ${family === 'ipv4' ? 'ip' : 'ipv6'} size 1m expire ${affinitySeconds}s`;
    yield '    stick on src';
  }
  if (check.kind === 'healthz') {
    yield '    option httpchk GET /healthz';
    yield '    http-check expect status 200';
  }
  for (const server of listener.servers) yield `    ${serverLine(server, listener)}`;
}

function bindAddress({ address, family, port }: Listener): string {
  if (address !== undefined) return ipPort(address, port);
  return family === 'ipv4' ? `*:${port}` : `[::]:${port} v4v6`;
}

function serverLine({ node, ip, port }: NodeServer, { check, proxyProtocol }: Listener): string {
  const words = ['server', node, ipPort(ip, port)];
  if (check.kind !== 'none') words.push('check');
  if (check.kind === 'healthz') words.push('port', String(check.port));
  if (proxyProtocol !== undefined) words.push(proxyProtocol === 'v1' ? 'send-proxy' : 'send-proxy-v2');
  return words.join(' ');
}
