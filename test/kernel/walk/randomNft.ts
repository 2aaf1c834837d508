import type { Dice } from './dice.ts';
import { interfaces, type Places, placesV4, ports } from './randomPlaces.ts';

interface Chain {
  readonly name: string;
  readonly kind: 'filter' | 'route' | 'nat' | 'own';
  /** Hooks that it may be called from. */
  readonly hooks: readonly string[];
  readonly head: string;
}

/** A table, and how rules speak of the family whose packets it meets. */
interface Words extends Pick<Places, 'destinations' | 'networks' | 'servers' | 'sources'> {
  /** Of the table. */
  readonly family: string;
  readonly ip: 'ip' | 'ip6';
  readonly icmp: 'icmp' | 'icmpv6';
  readonly nfproto: 'ipv4' | 'ipv6';
  /** Address and port, as DNAT takes them. */
  readonly end: (address: string, port: number) => string;
}

/** One to three random tables, as `nft -f` takes them, and at times one of a device. */
export function randomNft(dice: Dice, places: Places = placesV4): string {
  const isV6 = places.family === 'ipv6';
  const ip = isV6 ? 'ip6' : 'ip';
  const words = {
    ...places,
    ip,
    icmp: isV6 ? 'icmpv6' : 'icmp',
    nfproto: places.family,
    end: (address: string, port: number) => (isV6 ? `[${address}]:${port}` : `${address}:${port}`),
  } as const;
  // As nft lists them: of two chains at one priority in tables of different families nothing shows which was first.
  const families = [...dice.times(1, 3, () => dice.pick([ip, 'inet', ip]))].sort(
    (a, b) => Number(b === 'inet') - Number(a === 'inet'),
  );
  const tables = families.map((family, at) => tableText({ ...words, family }, `t${at}`, dice));
  return [...tables, ...(dice.percent(30) ? [deviceTable(words, dice)] : [])].join('');
}

/** Drops some of what comes in, or marks it, before all other tables. */
function deviceTable({ ip, networks }: Pick<Words, 'ip' | 'networks'>, dice: Dice): string {
  const rules = dice.times(1, 3, () => {
    const end = dice.pick(['meta mark set 0x1', 'counter', 'counter', 'accept', 'drop']);
    return `    ${ip} ${dice.pick(['saddr', 'daddr'])} ${dice.pick(networks)} ${end}\n`;
  });
  const device = dice.pick(['veth1', 'eth0']);
  return `table netdev d0 {\n  chain in {\n    type filter hook ingress device "${device}" priority 0; policy accept;\n${rules.join('')}  }\n}\n`;
}

function tableText(words: Words, name: string, dice: Dice): string {
  const base = dice.times(2, 6, (at) => baseChain(at, dice));
  const own = (['any', 'any', 'dst', 'dst', 'src'] as const).map((kind, at) => ownChain(kind, at));
  const chains = [...base, ...own];
  // What a chain leads to is declared before it.
  const texts = [...chains].reverse().map((chain) => chainText(words, chain, own, dice));
  return `table ${words.family} ${name} {\n${sets(words, own)}${texts.join('')}}\n`;
}

const anyHooks = ['prerouting', 'input', 'forward', 'output', 'postrouting'];
const destinationHooks = ['prerouting', 'output'];
/** Where the kernel knows the socket, and the route. */
const socketHooks = ['prerouting', 'input', 'output'];
const routedHooks = ['forward', 'output', 'postrouting'];
const sourceHooks = ['postrouting', 'input'];

function baseChain(at: number, dice: Dice): Chain {
  const kind = dice.pick(['filter', 'filter', 'nat', 'nat', 'route'] as const);
  const hook =
    kind === 'route' ? 'output' : dice.pick(kind === 'nat' ? [...destinationHooks, ...sourceHooks] : anyHooks);
  const priority =
    kind === 'nat' ? dice.pick([-100, -90, 100, 90]) : dice.pick([-300, -150, -110, -100, 0, 0, 10, 100, 200]);
  const policy = kind === 'filter' && dice.percent(8) ? 'drop' : 'accept';
  const head = `type ${kind} hook ${hook} priority ${priority}; policy ${policy};`;
  return { name: `base${at}`, kind, hooks: [hook], head };
}

function ownChain(kind: 'any' | 'dst' | 'src', at: number): Chain {
  const hooks = kind === 'any' ? anyHooks : kind === 'dst' ? destinationHooks : sourceHooks;
  return { name: `own${at}`, kind: kind === 'any' ? 'own' : 'nat', hooks, head: '' };
}

function sets({ nfproto, destinations, networks, servers }: Words, own: readonly Chain[]): string {
  const [any = '', , dst = ''] = own.map(({ name }) => name);
  const type = `${nfproto}_addr`;
  const [virtual = '', , other = '', node = ''] = destinations;
  const [w1 = '', w2 = '', , far = ''] = servers;
  const [wide = '', range = ''] = networks.filter((network) => network.includes('/'));
  return `  set hosts { type ${type}; elements = { ${w1}, ${virtual} } }
  set nets { type ${type}; flags interval; elements = { ${range}, ${destinations.at(-1)} } }
  set pairs { type ${type} . inet_proto . inet_service; elements = { ${virtual} . tcp . 80, ${w2} . tcp . 8080, ${node} . udp . 53 } }
  set kept { type ${type}; flags dynamic,timeout; timeout 1m; }
  set counted { type ${type}; size 1024; flags dynamic; }
  set limited { type ${type}; size 1024; flags dynamic; }
  set marked { type mark; size 1024; flags dynamic; }
  map targets { type ${type} : ${type}; elements = { ${virtual} : ${w1}, ${other} : ${far} } }
  map ends { type ${type} . inet_service : ${type} . inet_service; elements = { ${virtual} . 80 : ${w2} . 8080 } }
  map marks { type ${type} : mark; flags interval; elements = { ${wide} : 0x1, ${virtual} : 0x2 } }
  map ways { type ${type} . inet_proto . inet_service : verdict; elements = { ${virtual} . tcp . 80 : goto ${any}, ${w2} . tcp . 53 : jump ${any}, ${node} . tcp . 80 : return, ${far} . udp . 53 : drop } }
  map doors { type inet_service : verdict; elements = { 30080 : goto ${dst}, 53 : jump ${dst} } }
`;
}

function chainText(words: Words, chain: Chain, own: readonly Chain[], dice: Dice): string {
  const callable = own.filter(
    (each) =>
      chain.hooks.every((hook) => each.hooks.includes(hook)) &&
      (chain.kind === 'nat' || each.kind === 'own') &&
      (chain.head !== '' || each.name > chain.name),
  );
  const rules = dice.times(0, 5, () => `    ${ruleText(words, chain, callable, dice)}\n`);
  return `  chain ${chain.name} {\n${chain.head === '' ? '' : `    ${chain.head}\n`}${rules.join('')}  }\n`;
}

function ruleText(spoken: Words, chain: Chain, callable: readonly Chain[], dice: Dice): string {
  const end = endText(spoken, chain, callable, dice);
  const matches = dice.times(0, 2, () => matchText(spoken, chain, dice)).filter((text) => text !== '');
  const needed = /to \S*:\d+$|to \S*\]:\d+$|redirect|tcp reset/.test(end) ? ['meta l4proto tcp'] : [];
  const words: string[] = [];
  // nft refuses to ask for two protocols at once.
  for (const text of [...needed, ...matches, end]) {
    const whole = [...words, text].join(' ');
    // Of ICMP it lists the bytes of ports as its own fields.
    const isOdd = /icmp(?:v6)? type/.test(whole) && whole.includes('th dport');
    if (protocolsOf(whole).size < 2 && !isOdd) words.push(text);
  }
  return words.length === 0 ? 'counter' : words.join(' ');
}

function protocolsOf(text: string): ReadonlySet<string> {
  const found = text.matchAll(
    /\b(tcp|udp|sctp|icmp|icmpv6) (?:dport|flags|type|reset|option)|(?:l4proto|ip protocol|ip6 nexthdr) (?:!= )?(tcp|udp|sctp|\{)/g,
  );
  return new Set([...found].map(([, payload, named]) => payload ?? named ?? ''));
}

function matchText({ family, ip, icmp, nfproto, destinations, networks }: Words, { hooks }: Chain, dice: Dice): string {
  const n = dice.percent(20) ? '!= ' : '';
  const mark = () => `0x${dice.below(4).toString(16)}`;
  const canHaveIn = hooks.every((hook) => hook === 'prerouting' || hook === 'input' || hook === 'forward');
  const canHaveOut = hooks.every((hook) => hook === 'postrouting' || hook === 'output' || hook === 'forward');
  const device = () => dice.pick(interfaces.map((name) => (name === 'veth' ? 'veth*' : name)));
  const makers: readonly (() => string)[] = [
    () => `${ip} saddr ${n}${dice.pick(networks)}`,
    () => `${ip} daddr ${n}${dice.pick(networks)}`,
    () => `${ip} daddr ${n}{ ${dice.pick(destinations.slice(1, 4))}, ${destinations.at(-2)} }`,
    () => `tcp dport ${n}${dice.pick(ports)}`,
    () => `udp dport ${n}${dice.pick(ports)}`,
    () => `th dport ${n}{ 53, 8000-9000 }`,
    () => `tcp flags ${dice.pick(tcpFlags)}`,
    () => `${icmp} type ${dice.pick(['echo-request', 'destination-unreachable'])}`,
    () => `meta l4proto ${n}${dice.pick(['tcp', 'udp', `{ tcp, ${icmp === 'icmp' ? icmp : 'ipv6-icmp'} }`])}`,
    () => `${ip === 'ip' ? 'ip protocol' : 'ip6 nexthdr'} ${dice.pick(['tcp', 'udp'])}`,
    () => (canHaveIn ? `iifname ${n}"${device()}"` : ''),
    () => (canHaveOut ? `oifname ${n}"${device()}"` : ''),
    () => `meta mark ${n}${mark()}`,
    () => `meta mark & 0x3 == ${mark()}`,
    () => `ct mark ${n}${mark()}`,
    () => `ct state ${n}${dice.pick(['new', 'invalid', 'untracked', '{ new, established }'])}`,
    () => `ct state ${dice.pick(states)}`,
    () => `ct status ${dice.pick(['dnat', 'snat', 'confirmed', 'seen-reply', 'assured'])}`,
    () => `ct status ${dice.pick(statuses)}`,
    () => `ct direction ${dice.pick(['original', 'reply'])}`,
    () => `ct original ${ip} daddr ${n}${dice.pick(networks)}`,
    () => `ct reply ${ip} saddr ${n}${dice.pick(networks)}`,
    () => `meta l4proto tcp ct original proto-dst ${n}${dice.pick(ports)}`,
    () => `fib daddr type ${n}local`,
    () => `fib saddr type ${n}local`,
    () => (hooks.every((hook) => hook === 'prerouting' || hook === 'input') ? 'fib daddr . iif type local' : ''),
    () => `${ip} saddr ${n}@hosts`,
    () => `${ip} daddr ${n}@nets`,
    () => `${ip} daddr . meta l4proto . th dport ${n}@pairs`,
    () => `${ip} saddr ${n}@kept`,
    () => 'numgen random mod 2 0',
    () => 'numgen inc mod 3 1',
    () => 'counter',
    () => (family === 'inet' ? `meta nfproto ${nfproto}` : ''),
    () => `meta pkttype ${n}host`,
    () => `sctp dport ${n}${dice.pick(ports)}`,
    () => `meta mark ${n}@marked`,
    () => `${ip} saddr ${n}@counted`,
    () => `${ip} ${ip === 'ip' ? 'ttl' : 'hoplimit'} ${dice.pick(['64', '63', '> 64', '< 2'])}`,
    () => `meta length ${dice.pick(['> 1400', '< 40', '20-2000'])}`,
    () => `ct packets ${dice.pick(['> 1', '0', '< 10'])}`,
    () => `ct ${dice.pick(['original', 'reply'])} packets ${dice.pick(['> 0', '0', '1'])}`,
    () => `ct zone ${n}0`,
    () => (canHaveIn && family !== 'inet' ? `meta iiftype ${n}${dice.pick(['ether', 'loopback'])}` : ''),
    () => `${ip} ecn ${n}not-ect`,
    () => (hooks.every((hook) => socketHooks.includes(hook)) ? `socket transparent ${dice.pick(['0', '1'])}` : ''),
    () => `fib daddr . mark type ${n}local`,
  ];
  return dice.pick(makers)();
}

/** What bits of TCP, of states and of statuses are compared with. */
const tcpFlags = [
  'syn',
  'syn,ack',
  '! ack',
  '== syn',
  '!= syn',
  '!= syn | ack',
  '& (fin | syn | rst | ack) == syn',
  '& (syn | ack) != syn',
  'ack / syn,ack',
];
const states = [
  '! new',
  '! established,related',
  '!= established | related',
  '& (new | related) == 0',
  '& (new | related) != 0',
];
const statuses = ['! dnat', '!= dnat', '== snat', '& (dnat | snat) == dnat', '& (confirmed | dnat) != 0'];

function endText(words: Words, chain: Chain, callable: readonly Chain[], dice: Dice): string {
  const { ip } = words;
  const [, , , network = ''] = words.networks.filter((each) => each.includes('/'));
  const [w1 = ''] = words.servers;
  const jump = () =>
    callable.length === 0 ? 'return' : `${dice.percent(30) ? 'goto' : 'jump'} ${dice.pick(callable).name}`;
  const mark = () => `0x${dice.below(4).toString(16)}`;
  const canLead = (name: string) => callable.some((each) => each.name === name);
  const common: readonly (() => string)[] = [
    jump,
    jump,
    jump,
    () => `meta mark set ${mark()}`,
    () => 'meta mark set mark | 0x2',
    () => 'meta mark set mark xor 0x1',
    () => 'meta mark set ct mark',
    () => `ct mark set ${mark()}`,
    () => 'ct mark set mark',
    () => 'counter',
    () => `update @kept { ${ip} saddr }`,
    () => `add @kept { ${ip} daddr }`,
    () => `add @counted { ${ip} saddr counter }`,
    () => `add @limited { ${ip} daddr limit rate over 100/second }`,
    () => 'add @marked { meta mark }',
    () => `meta mark set ${ip} daddr map @marks`,
    () => `meta mark set ${ip} saddr map { ${w1} : 0x1, ${network} : 0x3 }`,
    () => `${ip} dscp set cs1`,
    () => (chain.hooks.every((hook) => routedHooks.includes(hook)) ? 'tcp option maxseg size set rt mtu' : 'counter'),
    () => 'limit rate 100/second counter',
    () => 'return',
    () => 'accept',
    () => (canLead('own0') ? `${ip} daddr . meta l4proto . th dport vmap @ways` : 'counter'),
    () => 'ct state vmap { established : accept, related : accept }',
    () => (canLead('own0') ? 'ct state vmap { new : jump own0, established : accept }' : 'counter'),
    () => `${ip} saddr vmap { ${w1} : return, ${network} : accept }`,
    () => (canLead('own0') ? 'numgen random mod 2 vmap { 0 : jump own0, 1 : goto own1 }' : 'counter'),
    () => (canLead('own2') && chain.kind === 'nat' ? 'tcp dport vmap @doors' : 'counter'),
  ];
  return dice.pick([...common, ...particular(words, chain, dice)])();
}

const rejections: Readonly<Record<'icmp' | 'icmpv6', readonly string[]>> = {
  icmp: [
    '',
    ' with icmp host-unreachable',
    ' with icmp admin-prohibited',
    ' with tcp reset',
    ' with icmp port-unreachable',
  ],
  icmpv6: [
    '',
    ' with icmpv6 no-route',
    ' with icmpv6 admin-prohibited',
    ' with tcp reset',
    ' with icmpv6 port-unreachable',
  ],
};

function particular(
  { family, ip, icmp, servers, sources, end }: Words,
  { kind, hooks, head }: Chain,
  dice: Dice,
): readonly (() => string)[] {
  const to = family === 'inet' ? ` ${ip} to` : ' to';
  if (kind === 'nat' && hooks.every((hook) => destinationHooks.includes(hook))) {
    const dnat = () => {
      const server = dice.pick(servers);
      return `dnat${to} ${dice.percent(50) ? end(server, dice.pick([80, 8080, 53])) : server}`;
    };
    return [
      dnat,
      dnat,
      dnat,
      () => `dnat${to} ${ip} daddr map @targets`,
      () => `dnat${to} ${ip} daddr . tcp dport map @ends`,
      () => `dnat${to} numgen random mod 2 map { 0 : ${servers[0]}, 1 : ${servers[1]} }`,
      () => `redirect to :${dice.pick(ports)}`,
    ];
  }
  if (kind === 'nat') {
    const snat = () => `snat${to} ${dice.pick(sources.slice(0, 2))}`;
    return hooks.includes('input') ? [snat] : [snat, () => 'masquerade', () => 'masquerade fully-random'];
  }
  const isEarly = head.includes('priority -300') && hooks.every((hook) => destinationHooks.includes(hook));
  const rejects = hooks.every((hook) => hook !== 'postrouting' && hook !== 'prerouting') || kind === 'own';
  const reject = rejects && kind !== 'own' ? [() => `reject${dice.pick(rejections[icmp])}`] : [];
  return [() => 'accept', () => 'drop', ...reject, ...(isEarly ? [() => 'notrack'] : [])];
}
