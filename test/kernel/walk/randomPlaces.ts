import type { LabNetwork } from '../../../src/lab/labNetwork.ts';
import type { SentProbe } from './compareRules.ts';
import type { Dice } from './dice.ts';

/** A node with two Pods, a second node with one, and somebody outside; everybody listens on a few ports. */
export const network: LabNetwork = {
  nodes: [
    { name: 'n1', addresses: ['192.168.10.1'], podCidrs: ['10.244.1.0/24'], servers: serversOf() },
    { name: 'n2', addresses: ['192.168.10.2'], podCidrs: ['10.244.2.0/24'], servers: serversOf() },
  ],
  pods: [
    { name: 'p1', node: 'n1', addresses: ['10.244.1.5'], servers: serversOf() },
    { name: 'p2', node: 'n1', addresses: ['10.244.1.6'], servers: serversOf() },
    { name: 'p3', node: 'n2', addresses: ['10.244.2.7'], servers: serversOf() },
  ],
  hosts: [{ name: 'out', addresses: ['203.0.113.9'], gateway: 'n1', servers: serversOf() }],
};

function serversOf() {
  return [80, 8080, 53].flatMap((port) => [{ protocol: 'tcp', port } as const, { protocol: 'udp', port } as const]);
}

/** A packet that comes by n1. `from` is what `trace --from` takes. */
export function randomProbe(dice: Dice): SentProbe {
  const { machine, from, to } = dice.pick(senders);
  const protocol = dice.pick(['tcp', 'tcp', 'udp', 'icmp'] as const);
  return { machine, from, to: dice.pick(to), port: dice.pick(ports), protocol };
}

/** 10.96.0.0/16 and 198.51.100.0/24 are nobody's: only rules know them. */
export const destinations = [
  '10.96.0.10',
  '10.96.0.10',
  '10.96.0.11',
  '192.168.10.1',
  '10.244.1.5',
  '10.244.1.6',
  '10.244.2.7',
  '192.168.10.2',
  '203.0.113.9',
  '198.51.100.3',
] as const;

const ofNode = ['192.168.10.1', '10.244.1.5', '10.244.1.6'] as const;
const senders = [
  { machine: 'p1', from: '10.244.1.5', to: destinations.filter((to) => to !== '10.244.1.5') },
  { machine: 'p2', from: '10.244.1.6', to: destinations.filter((to) => to !== '10.244.1.6') },
  { machine: 'p3', from: '10.244.2.7', to: ofNode },
  { machine: 'out', from: '203.0.113.9', to: [...ofNode, '10.96.0.10', '10.96.0.11', '10.244.2.7'] },
  { machine: 'n1', from: 'node', to: [...destinations, '127.0.0.1'] },
] as const;

export const ports = [80, 53, 8080, 30080] as const;

/** Networks that rules speak of. */
export const networks = [
  ...destinations,
  '10.244.1.0/24',
  '10.244.0.0/16',
  '10.96.0.0/16',
  '192.168.10.0/24',
  '203.0.113.0/24',
  '127.0.0.0/8',
] as const;

export const interfaces = ['veth0', 'veth1', 'eth0', 'lo', 'veth'] as const;
