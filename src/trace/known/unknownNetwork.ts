import { wholeRange } from '../../common/addresses/wholeRange.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';

/** The network of an unknown node: lo, and eth0 for everything that leaves. */
export const unknownNetwork: NetworkFacts = {
  interfaces: [
    { name: 'lo', addresses: [{ cidr: '127.0.0.1/8' }, { cidr: '::1/128' }] },
    { name: 'eth0', addresses: [] },
  ],
  routes: (['ipv4', 'ipv6'] as const).map((family) => ({
    family,
    type: 'unicast',
    destination: wholeRange(family),
    device: 'eth0',
    table: 'main',
    metric: 0,
  })),
  rules: [],
  sysctls: new Map([
    ['net.ipv4.ip_forward', 1],
    ['net.ipv6.conf.all.forwarding', 1],
  ]),
  missingSysctls: new Set(),
  pods: [],
  hosts: [],
  seen: [],
};
