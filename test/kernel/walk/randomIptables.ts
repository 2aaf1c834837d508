import type { Dice } from './dice.ts';
import { interfaces, type Places, placesV4, ports } from './randomPlaces.ts';

type Table = 'raw' | 'mangle' | 'nat' | 'filter';

interface Chain {
  readonly table: Table;
  readonly name: string;
  /** Hooks that it may be called from; one's own, of a built-in chain. */
  readonly hooks: readonly string[];
  readonly isBuiltIn: boolean;
}

const hooksOf: Readonly<Record<Table, readonly string[]>> = {
  raw: ['PREROUTING', 'OUTPUT'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
};

/** Chains of users call later ones only, so that nothing runs in a circle. */
const ownChains: Readonly<Record<Table, readonly (readonly string[])[]>> = {
  raw: [['PREROUTING', 'OUTPUT']],
  mangle: [hooksOf.mangle, hooksOf.mangle],
  nat: [
    ['PREROUTING', 'OUTPUT'],
    ['PREROUTING', 'OUTPUT'],
    ['PREROUTING', 'OUTPUT'],
    ['POSTROUTING', 'INPUT'],
    ['POSTROUTING', 'INPUT'],
  ],
  filter: [hooksOf.filter, hooksOf.filter, hooksOf.filter, hooksOf.filter],
};

/** Random tables as iptables-restore takes them; ipsets that they ask for are in `ipsetCommands`. */
export function randomIptables(dice: Dice, places: Places = placesV4): string {
  const tables = (['raw', 'mangle', 'nat', 'filter'] as const).filter(
    (table) => table === 'filter' || dice.percent(75),
  );
  return tables.map((table) => tableText(table, dice, places)).join('');
}

export const ipsetCommands = `create hosts hash:ip
add hosts 10.244.1.5
add hosts 10.96.0.10
create nets hash:net
add nets 10.244.0.0/16
add nets 10.244.2.0/24 nomatch
add nets 203.0.113.0/24
create pairs hash:ip,port
add pairs 10.96.0.10,tcp:80
add pairs 10.96.0.11,udp:53
add pairs 10.244.1.6,tcp:8080
create ends bitmap:port range 0-40000
add ends 80
add ends 30080
create three hash:ip,port,net
add three 10.244.1.6,tcp:80,10.244.1.0/24
create all list:set
add all hosts
add all nets
create kept hash:ip
create hosts6 hash:ip family inet6
add hosts6 fd00:244:1::5
add hosts6 fd00:96::10
create nets6 hash:net family inet6
add nets6 fd00:244::/32
add nets6 fd00:244:2::/64 nomatch
add nets6 2001:db8:113::/64
create pairs6 hash:ip,port family inet6
add pairs6 fd00:96::10,tcp:80
add pairs6 fd00:96::11,udp:53
add pairs6 fd00:244:1::6,tcp:8080
create three6 hash:ip,port,net family inet6
add three6 fd00:244:1::6,tcp:80,fd00:244:1::/64
create all6 list:set
add all6 hosts6
add all6 nets6
create kept6 hash:ip family inet6
`;

function tableText(table: Table, dice: Dice, places: Places): string {
  const builtIn = hooksOf[table].map((name): Chain => ({ table, name, hooks: [name], isBuiltIn: true }));
  const own = ownChains[table].map(
    (hooks, at): Chain => ({ table, name: `${table.toUpperCase()}-${at}`, hooks, isBuiltIn: false }),
  );
  const chains = [...builtIn, ...own];
  const policies = builtIn.map(({ name }) => {
    const drops = table === 'filter' && dice.percent(8);
    return `:${name} ${drops ? 'DROP' : 'ACCEPT'} [0:0]\n`;
  });
  const declared = own.map(({ name }) => `:${name} - [0:0]\n`);
  const rules = chains.flatMap((chain) => dice.times(0, 5, () => `${ruleText(chain, own, dice, places)}\n`));
  return [`*${table}\n`, ...policies, ...declared, ...rules, 'COMMIT\n'].join('');
}

function ruleText(chain: Chain, own: readonly Chain[], dice: Dice, places: Places): string {
  const target = targetText(chain, own, dice, places);
  const needed = protocolNeeded(target, dice);
  const matches = dice.times(0, 2, () => matchText(chain, needed, dice, places)).filter((text) => text !== '');
  const [head, ...rest] = [...matches].sort((a, b) => Number(a.startsWith('-m')) - Number(b.startsWith('-m')));
  const withProtocol = needed !== undefined && !matches.some((text) => text.includes(`-p ${needed} `));
  const words = [`-A ${chain.name}`, ...(withProtocol ? [`-p ${needed}`] : []), head, ...rest, target];
  return unique(words.filter((word) => word !== undefined && word !== '') as string[]).join(' ');
}

/** Options of the head may stand once. */
function unique(words: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return words.filter((word) => {
    const key = /^(?:! )?(-[sdiop]) /.exec(`${word} `)?.[1] ?? (word.startsWith('-m') ? word.split(' ')[1] : word);
    if (key !== undefined && seen.has(key)) return false;
    if (key !== undefined) seen.add(key);
    return true;
  });
}

type PortProtocol = 'tcp' | 'udp' | 'sctp';

function protocolNeeded(target: string, dice: Dice): PortProtocol | undefined {
  if (target.includes('tcp-reset')) return 'tcp';
  const hasPorts = /\]:\d+|\d\.\d+:\d+|--to-ports/.test(target);
  return hasPorts ? dice.pick(['tcp', 'tcp', 'udp', 'sctp'] as const) : undefined;
}

function not(dice: Dice): string {
  return dice.percent(20) ? '! ' : '';
}

function matchText({ hooks, table }: Chain, needed: PortProtocol | undefined, dice: Dice, places: Places): string {
  const { networks, family } = places;
  const isV6 = family === 'ipv6';
  const six = isV6 ? '6' : '';
  const canHaveIn = hooks.every((hook) => hook !== 'OUTPUT' && hook !== 'POSTROUTING');
  const canHaveOut = hooks.every((hook) => hook !== 'PREROUTING' && hook !== 'INPUT');
  const isRouted = table !== 'nat' && table !== 'filter' && hooks.every((hook) => hook === 'PREROUTING');
  const n = not(dice);
  const device = () => dice.pick(interfaces.map((name) => (name === 'veth' ? 'veth+' : name)));
  const protocol = needed ?? dice.pick(['tcp', 'tcp', 'udp', 'sctp'] as const);
  const mark = () => `0x${dice.below(8).toString(16)}/0x${(1 + dice.below(7)).toString(16)}`;
  const makers: readonly (() => string)[] = [
    () => `${n}-s ${dice.pick(networks)}`,
    () => `${n}-d ${dice.pick(networks)}`,
    () => `${n}-d ${dice.pick(networks)}`,
    () => `-p ${protocol} -m ${protocol} ${n}--dport ${dice.pick(ports)}`,
    () => `-p ${protocol} -m multiport ${n}--dports ${dice.pick(['80,53', '1:100,8080', '30080', '80,8080,30080'])}`,
    () => (needed === undefined ? icmpText(isV6, dice) : ''),
    () => `-p tcp -m tcp ${n}--tcp-flags ${dice.pick(['SYN,ACK SYN', 'SYN,RST,ACK,FIN SYN', 'ACK ACK'])}`,
    () => (canHaveIn ? `${n}-i ${device()}` : ''),
    () => (canHaveOut ? `${n}-o ${device()}` : ''),
    () => `-m mark ${n}--mark ${mark()}`,
    () => `-m connmark ${n}--mark ${mark()}`,
    () => `-m conntrack ${n}--ctstate ${dice.pick(states)}`,
    () => `-m conntrack --ctdir ${dice.pick(['ORIGINAL', 'REPLY'])}`,
    () => `-m conntrack ${n}--ctorigdst ${dice.pick(networks)}`,
    () => `-m conntrack ${n}--ctreplsrc ${dice.pick(networks)}`,
    () => `-m conntrack ${n}--ctorigdstport ${dice.pick(ports)}`,
    () => `-m conntrack ${n}--ctstatus ${dice.pick(['NONE', 'SEEN_REPLY', 'CONFIRMED', 'ASSURED'])}`,
    () => `-m addrtype ${n}--dst-type ${dice.pick(['LOCAL', 'UNICAST', 'LOCAL,MULTICAST'])}`,
    () => `-m addrtype ${n}--src-type ${dice.pick(['LOCAL', 'UNICAST'])}`,
    () => (canHaveIn ? `-m addrtype ${n}--dst-type LOCAL --limit-iface-in` : ''),
    () => `-m set ${n}--match-set ${setMatch(dice.pick(setMatches), six)}`,
    () => `-m iprange ${n}--${dice.pick(['src', 'dst'])}-range ${places.range}`,
    () => (table === 'nat' ? `-m statistic --mode random ${n}--probability 0.50000000000` : ''),
    () => (table === 'nat' ? `-m statistic --mode nth ${n}--every 3 --packet ${dice.below(3)}` : ''),
    () => `-m comment --comment "some rule"`,
    () => (canHaveIn && table !== 'raw' ? `-m devgroup ${n}--src-group 0` : ''),
    () => `-m limit --limit 1/hour --limit-burst ${1 + dice.below(3)}`,
    () =>
      `-m hashlimit --hashlimit-upto 1/hour --hashlimit-burst 1 --hashlimit-mode ${dice.pick(['srcip', 'dstip', 'dstport'])} --hashlimit-name H${dice.below(1_000_000)}`,
    () => (table === 'filter' || table === 'mangle' ? `-m conntrack ${n}--ctproto ${dice.pick([6, 17, 132])}` : ''),
    () => (canHaveIn ? `-m physdev ${n}--physdev-in ${dice.pick(['vethb1', 'vethb2', 'eth0'])}` : ''),
    () => (canHaveIn ? `-m physdev ${n}--physdev-is-in` : ''),
    () => (!isV6 && !hooks.includes('PREROUTING') ? `-m realm ${n}--realm 0` : ''),
    () => (isV6 && canHaveIn ? '-m eui64' : ''),
    () => (isV6 ? '-m frag --fragfirst' : ''),
    () => (isRouted ? `-m rpfilter${dice.pick(['', ' --loose', ' --invert', ' --validmark'])}` : ''),
    () => (hooks.every((hook) => hook === 'FORWARD') ? `-m physdev ${n}--physdev-is-bridged` : ''),
    () => `-m recent --name L${dice.below(2)} ${dice.pick(recents)}`,
  ];
  return dice.pick(makers)();
}

function icmpText(isV6: boolean, dice: Dice): string {
  return isV6
    ? `-p ipv6-icmp -m icmp6 --icmpv6-type ${dice.pick(['128', '1/4', '1', '129'])}`
    : `-p icmp -m icmp --icmp-type ${dice.pick(['8', '3/3', '3', 'any', '0'])}`;
}

/** Sets of addresses have a twin for IPv6. */
function setMatch(text: string, six: string): string {
  const [name = '', sides = ''] = text.split(' ');
  return `${name === 'ends' ? name : `${name}${six}`} ${sides}`;
}

const states = ['NEW', 'RELATED,ESTABLISHED', 'INVALID', 'DNAT', 'SNAT', 'NEW,DNAT', 'UNTRACKED', 'ESTABLISHED'];
const setMatches = [
  'hosts src',
  'hosts dst',
  'nets src',
  'nets dst',
  'pairs dst,dst',
  'pairs src,dst',
  'ends dst',
  'three dst,dst,src',
  'all dst',
  'kept src',
];
const recents = ['--set --rsource', '--rcheck --seconds 30 --rsource', '--update --rdest', '--set --rdest', '--remove'];

function targetText(
  { table, hooks, isBuiltIn, name }: Chain,
  own: readonly Chain[],
  dice: Dice,
  places: Places,
): string {
  const callable = own.filter(
    (each) => hooks.every((hook) => each.hooks.includes(hook)) && (isBuiltIn || each.name > name),
  );
  const jump = () => {
    if (callable.length === 0) return '-j RETURN';
    return `${dice.percent(25) ? '-g' : '-j'} ${dice.pick(callable).name}`;
  };
  const mark = () => `0x${dice.below(8).toString(16)}/0x${(1 + dice.below(7)).toString(16)}`;
  const connmark =
    table === 'raw'
      ? jump
      : () =>
          dice.pick([
            `-j CONNMARK --set-xmark ${mark()}`,
            '-j CONNMARK --save-mark --nfmask 0xffffffff --ctmask 0x3',
            '-j CONNMARK --restore-mark --nfmask 0xffffffff --ctmask 0xffffffff',
          ]);
  const common: readonly (() => string)[] = [
    jump,
    jump,
    jump,
    () => `-j MARK --set-xmark ${mark()}`,
    () => `-j MARK --set-xmark 0x4/0x0`,
    connmark,
    () => '-j RETURN',
    () => '',
    () => '-j NFLOG --nflog-group 7',
    () => `-j SET --add-set ${places.family === 'ipv6' ? 'kept6' : 'kept'} src`,
  ];
  return dice.pick([...common, ...(own.length > 0 ? targetsOf(table, hooks, dice, places) : [])])();
}

function targetsOf(table: Table, hooks: readonly string[], dice: Dice, places: Places): readonly (() => string)[] {
  switch (table) {
    case 'raw':
      return [
        () => '-j ACCEPT',
        () => (dice.percent(40) ? '-j CT --notrack' : ''),
        () => (dice.percent(40) ? `-j CT --zone${dice.pick(['', '-orig', '-reply'])} 5` : ''),
        () => (dice.percent(10) ? '-j DROP' : ''),
      ];
    case 'mangle':
      return [() => '-j ACCEPT', () => '-j TOS --set-tos 0x10/0x3f', () => (dice.percent(20) ? '-j DROP' : '')];
    case 'filter':
      return [
        () => '-j ACCEPT',
        () => '-j ACCEPT',
        () => '-j ACCEPT',
        () => '-j DROP',
        () => `-j REJECT --reject-with ${dice.pick(rejections[places.family])}`,
      ];
    case 'nat':
      return hooks.includes('PREROUTING') || hooks.includes('OUTPUT')
        ? destinationTargets(dice, places)
        : sourceTargets(hooks, dice, places);
  }
}

const rejections = {
  ipv6: [
    'icmp6-no-route',
    'icmp6-adm-prohibited',
    'icmp6-addr-unreachable',
    'icmp6-port-unreachable',
    'icmp6-policy-fail',
    'tcp-reset',
    'tcp-reset',
  ],
  ipv4: [
    'icmp-port-unreachable',
    'icmp-host-unreachable',
    'icmp-net-unreachable',
    'icmp-proto-unreachable',
    'icmp-net-prohibited',
    'icmp-host-prohibited',
    'icmp-admin-prohibited',
    'tcp-reset',
    'tcp-reset',
  ],
};

function destinationTargets(dice: Dice, { servers, twins, family }: Places): readonly (() => string)[] {
  const dnat = () => {
    const server = dice.pick(servers);
    const port = dice.percent(50) ? `:${dice.pick(['80', '8080', '53', '8080-8083'])}` : '';
    return `-j DNAT --to-destination ${port !== '' && family === 'ipv6' ? `[${server}]` : server}${port}`;
  };
  return [
    dnat,
    dnat,
    dnat,
    dnat,
    () => '-j ACCEPT',
    () =>
      `-j REDIRECT${dice.percent(60) ? ` --to-ports ${dice.pick(['80', '53', '8080', '30080', '8080-8081'])}` : ''}`,
    () => `-j DNAT --to-destination ${twins}`,
    () => `-j DNAT --to-destination ${family === 'ipv6' ? `[${twins}]` : twins}:8080-8081`,
  ];
}

function sourceTargets(hooks: readonly string[], dice: Dice, { sources }: Places): readonly (() => string)[] {
  const snat = () => `-j SNAT --to-source ${dice.pick(sources)}`;
  const masquerade = () => `-j MASQUERADE${dice.percent(30) ? ' --random-fully' : ''}`;
  return [() => '-j ACCEPT', snat, ...(hooks.includes('INPUT') ? [snat] : [masquerade, masquerade])];
}
