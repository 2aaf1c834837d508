import type { SentProbe } from './compareRules.ts';
import type { Dice } from './dice.ts';

/** Whom rules and packets of one family speak of, in the lab of test/kernel/walkTruthLab.ts. */
export interface Places {
  readonly family: 'ipv4' | 'ipv6';
  /** Some are nobody's: only rules know them. */
  readonly destinations: readonly string[];
  readonly networks: readonly string[];
  /** A range that holds some of the Pods. */
  readonly range: string;
  /** Where DNAT leads. */
  readonly servers: readonly string[];
  /** Two Pods beside each other: `FIRST-LAST`. */
  readonly twins: string;
  /** What SNAT may choose. */
  readonly sources: readonly string[];
  readonly senders: readonly { readonly machine: string; readonly from: string; readonly to: readonly string[] }[];
}

/** A packet that comes by n1. */
export function randomProbe(dice: Dice, places: Places = placesV4): SentProbe {
  const { machine, from, to } = dice.pick(places.senders);
  const drawn = dice.pick(['tcp', 'tcp', 'tcp', 'udp', 'udp', 'sctp', 'icmp'] as const);
  // A raw socket, which speaks SCTP here, answers the node itself from another address than was asked.
  const protocol = drawn === 'sctp' && from === 'node' ? 'tcp' : drawn;
  return { machine, from, to: dice.pick(to), port: dice.pick(ports), protocol };
}

export const ports = [80, 53, 8080, 30080] as const;

export const interfaces = ['veth1', 'veth2', 'cni0', 'eth0', 'lo', 'veth'] as const;

const [w1, w2, b1, b2] = ['10.244.1.5', '10.244.1.6', '10.244.3.5', '10.244.3.6'] as const;
const [node, other, far, outside] = ['192.168.10.1', '192.168.10.2', '10.244.2.7', '203.0.113.9'] as const;

/** 10.96.0.0/16 and 198.51.100.0/24 are nobody's. */
const destinations = [
  '10.96.0.10',
  '10.96.0.10',
  '10.96.0.11',
  node,
  w1,
  w2,
  b1,
  far,
  other,
  outside,
  '198.51.100.3',
] as const;

const networks = [
  ...destinations,
  '10.244.1.0/24',
  '10.244.0.0/16',
  '10.96.0.0/16',
  '192.168.10.0/24',
  '203.0.113.0/24',
  '127.0.0.0/8',
] as const;

export const placesV4: Places = {
  family: 'ipv4',
  destinations,
  networks,
  range: '10.244.1.5-10.244.2.200',
  servers: [w1, w2, b1, far, node, other, outside],
  twins: '10.244.1.5-10.244.1.6',
  sources: [node, '10.244.1.1', '198.51.100.77'],
  senders: sendersOf(
    destinations,
    [w1, w2, b1, b2],
    [far, outside],
    [node, w1, w2, b1, '10.96.0.10', '10.96.0.11'],
    '127.0.0.1',
  ),
};

const [v1, v2, c1, c2] = ['fd00:244:1::5', 'fd00:244:1::6', 'fd00:244:3::5', 'fd00:244:3::6'] as const;
const [node6, other6, far6, outside6] = ['fd00:10::1', 'fd00:10::2', 'fd00:244:2::7', '2001:db8:113::9'] as const;

/** fd00:96::/112 is nobody's. */
const destinationsV6 = ['fd00:96::10', 'fd00:96::10', 'fd00:96::11', node6, v1, v2, c1, far6, other6, outside6];

export const placesV6: Places = {
  family: 'ipv6',
  destinations: destinationsV6,
  networks: [
    ...destinationsV6,
    'fd00:244:1::/64',
    'fd00:244::/32',
    'fd00:96::/112',
    'fd00:10::/64',
    '2001:db8::/32',
    '::1',
  ],
  range: 'fd00:244:1::5-fd00:244:2::200',
  servers: [v1, v2, c1, far6, node6, other6, outside6],
  twins: 'fd00:244:1::5-fd00:244:1::6',
  sources: [node6, 'fd00:244:1::1', '2001:db8:77::77'],
  senders: sendersOf(
    destinationsV6,
    [v1, v2, c1, c2],
    [far6, outside6],
    [node6, v1, v2, c1, 'fd00:96::10', 'fd00:96::11'],
    '::1',
  ),
};

function sendersOf(
  all: readonly string[],
  pods: readonly string[],
  beyond: readonly string[],
  ofNode: readonly string[],
  loopback: string,
): Places['senders'] {
  const machines = ['w1', 'w2', 'b1', 'b2'];
  return [
    ...pods.map((from, at) => ({ machine: machines[at] ?? '', from, to: all.filter((to) => to !== from) })),
    ...beyond.map((from) => ({ machine: 'far', from, to: ofNode })),
    { machine: 'n1', from: 'node', to: [...all, loopback] },
    { machine: 'n1', from: 'node', to: all },
  ];
}
