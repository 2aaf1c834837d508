import type { Dice } from './dice.ts';
import { destinations, interfaces, networks, ports } from './randomPlaces.ts';

interface Chain {
  readonly name: string;
  readonly kind: 'filter' | 'route' | 'nat' | 'own';
  /** Hooks that it may be called from. */
  readonly hooks: readonly string[];
  readonly head: string;
}

/** Two or three random tables, as `nft -f` takes them. */
export function randomNft(dice: Dice): string {
  return dice.times(1, 3, (at) => tableText(dice.pick(['ip', 'inet', 'ip']), `t${at}`, dice)).join('');
}

function tableText(family: string, name: string, dice: Dice): string {
  const base = dice.times(2, 6, (at) => baseChain(at, dice));
  const own = (['any', 'any', 'dst', 'dst', 'src'] as const).map((kind, at) => ownChain(kind, at));
  const chains = [...base, ...own];
  // What a chain leads to is declared before it.
  const texts = [...chains].reverse().map((chain) => chainText(family, chain, own, dice));
  return `table ${family} ${name} {\n${sets(own)}${texts.join('')}}\n`;
}

const anyHooks = ['prerouting', 'input', 'forward', 'output', 'postrouting'];
const destinationHooks = ['prerouting', 'output'];
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

function sets(own: readonly Chain[]): string {
  const [any = '', , dst = ''] = own.map(({ name }) => name);
  return `  set hosts { type ipv4_addr; elements = { 10.244.1.5, 10.96.0.10 } }
  set nets { type ipv4_addr; flags interval; elements = { 10.244.0.0/16, 203.0.113.0/24 } }
  set pairs { type ipv4_addr . inet_proto . inet_service; elements = { 10.96.0.10 . tcp . 80, 10.244.1.6 . tcp . 8080, 192.168.10.1 . udp . 53 } }
  set kept { type ipv4_addr; flags dynamic,timeout; timeout 1m; }
  map targets { type ipv4_addr : ipv4_addr; elements = { 10.96.0.10 : 10.244.1.5, 10.96.0.11 : 10.244.2.7 } }
  map ends { type ipv4_addr . inet_service : ipv4_addr . inet_service; elements = { 10.96.0.10 . 80 : 10.244.1.6 . 8080 } }
  map ways { type ipv4_addr . inet_proto . inet_service : verdict; elements = { 10.96.0.10 . tcp . 80 : goto ${any}, 10.244.1.6 . tcp . 53 : jump ${any}, 192.168.10.1 . tcp . 80 : return, 10.244.2.7 . udp . 53 : drop } }
  map doors { type inet_service : verdict; elements = { 30080 : goto ${dst}, 53 : jump ${dst} } }
`;
}

function chainText(family: string, chain: Chain, own: readonly Chain[], dice: Dice): string {
  const callable = own.filter(
    (each) =>
      chain.hooks.every((hook) => each.hooks.includes(hook)) &&
      (chain.kind === 'nat' || each.kind === 'own') &&
      (chain.head !== '' || each.name > chain.name),
  );
  const rules = dice.times(0, 5, () => `    ${ruleText(family, chain, callable, dice)}\n`);
  return `  chain ${chain.name} {\n${chain.head === '' ? '' : `    ${chain.head}\n`}${rules.join('')}  }\n`;
}

function ruleText(family: string, chain: Chain, callable: readonly Chain[], dice: Dice): string {
  const end = endText(family, chain, callable, dice);
  const matches = dice.times(0, 2, () => matchText(family, chain, dice)).filter((text) => text !== '');
  const needed = /:\d|tcp reset/.test(end) ? ['meta l4proto tcp'] : [];
  const words: string[] = [];
  // nft refuses to ask for two protocols at once.
  for (const text of [...needed, ...matches, end]) {
    const whole = [...words, text].join(' ');
    // Of ICMP it lists the bytes of ports as its own fields.
    const isOdd = whole.includes('icmp type') && whole.includes('th dport');
    if (protocolsOf(whole).size < 2 && !isOdd) words.push(text);
  }
  return words.length === 0 ? 'counter' : words.join(' ');
}

function protocolsOf(text: string): ReadonlySet<string> {
  const found = text.matchAll(
    /\b(tcp|udp|icmp) (?:dport|flags|type|reset)|(?:l4proto|ip protocol) (?:!= )?(tcp|udp|\{)/g,
  );
  return new Set([...found].map(([, payload, named]) => payload ?? named ?? ''));
}

function matchText(family: string, { hooks }: Chain, dice: Dice): string {
  const n = dice.percent(20) ? '!= ' : '';
  const mark = () => `0x${dice.below(4).toString(16)}`;
  const canHaveIn = hooks.every((hook) => hook === 'prerouting' || hook === 'input' || hook === 'forward');
  const canHaveOut = hooks.every((hook) => hook === 'postrouting' || hook === 'output' || hook === 'forward');
  const device = () => dice.pick(interfaces.map((name) => (name === 'veth' ? 'veth*' : name)));
  const makers: readonly (() => string)[] = [
    () => `ip saddr ${n}${dice.pick(networks)}`,
    () => `ip daddr ${n}${dice.pick(networks)}`,
    () => `ip daddr ${n}{ ${dice.pick(destinations.slice(1, 4))}, 203.0.113.9 }`,
    () => `tcp dport ${n}${dice.pick(ports)}`,
    () => `udp dport ${n}${dice.pick(ports)}`,
    () => `th dport ${n}{ 53, 8000-9000 }`,
    () => `tcp flags ${dice.pick(tcpFlags)}`,
    () => `icmp type ${dice.pick(['echo-request', 'destination-unreachable'])}`,
    () => `meta l4proto ${n}${dice.pick(['tcp', 'udp', '{ tcp, icmp }'])}`,
    () => `ip protocol ${dice.pick(['tcp', 'udp'])}`,
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
    () => `ct original ip daddr ${n}${dice.pick(networks)}`,
    () => `ct reply ip saddr ${n}${dice.pick(networks)}`,
    () => `meta l4proto tcp ct original proto-dst ${n}${dice.pick(ports)}`,
    () => `fib daddr type ${n}local`,
    () => `fib saddr type ${n}local`,
    () => (hooks.every((hook) => hook === 'prerouting' || hook === 'input') ? 'fib daddr . iif type local' : ''),
    () => `ip saddr ${n}@hosts`,
    () => `ip daddr ${n}@nets`,
    () => `ip daddr . meta l4proto . th dport ${n}@pairs`,
    () => `ip saddr ${n}@kept`,
    () => 'numgen random mod 2 0',
    () => 'numgen inc mod 3 1',
    () => 'counter',
    () => (family === 'inet' ? 'meta nfproto ipv4' : ''),
    () => `meta pkttype ${n}host`,
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

function endText(family: string, chain: Chain, callable: readonly Chain[], dice: Dice): string {
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
    () => 'update @kept { ip saddr }',
    () => 'add @kept { ip daddr }',
    () => 'return',
    () => 'accept',
    () => (canLead('own0') ? 'ip daddr . meta l4proto . th dport vmap @ways' : 'counter'),
    () => 'ct state vmap { established : accept, related : accept }',
    () => (canLead('own0') ? 'ct state vmap { new : jump own0, established : accept }' : 'counter'),
    () => 'ip saddr vmap { 10.244.1.5 : return, 10.244.2.0/24 : accept }',
    () => (canLead('own0') ? 'numgen random mod 2 vmap { 0 : jump own0, 1 : goto own1 }' : 'counter'),
    () => (canLead('own2') && chain.kind === 'nat' ? 'tcp dport vmap @doors' : 'counter'),
  ];
  return dice.pick([...common, ...particular(family, chain, dice)])();
}

const servers = ['10.244.1.5', '10.244.1.6', '10.244.2.7', '192.168.10.1', '203.0.113.9'];
const rejections = [
  '',
  ' with icmp host-unreachable',
  ' with icmp admin-prohibited',
  ' with tcp reset',
  ' with icmp port-unreachable',
];

function particular(family: string, { kind, hooks, head }: Chain, dice: Dice): readonly (() => string)[] {
  const to = family === 'inet' ? ' ip to' : ' to';
  if (kind === 'nat' && hooks.every((hook) => destinationHooks.includes(hook))) {
    const dnat = () => `dnat${to} ${dice.pick(servers)}${dice.percent(50) ? `:${dice.pick([80, 8080, 53])}` : ''}`;
    return [
      dnat,
      dnat,
      dnat,
      () => `dnat${to} ip daddr map @targets`,
      () => `dnat${to} ip daddr . tcp dport map @ends`,
      () => `dnat${to} numgen random mod 2 map { 0 : 10.244.1.5, 1 : 10.244.1.6 }`,
      () => `redirect to :${dice.pick(ports)}`,
    ];
  }
  if (kind === 'nat') {
    const snat = () => `snat${to} ${dice.pick(['192.168.10.1', '10.244.1.1'])}`;
    return hooks.includes('input') ? [snat] : [snat, () => 'masquerade', () => 'masquerade fully-random'];
  }
  const isEarly = head.includes('priority -300') && hooks.every((hook) => destinationHooks.includes(hook));
  const rejects = hooks.every((hook) => hook !== 'postrouting' && hook !== 'prerouting') || kind === 'own';
  const reject = rejects && kind !== 'own' ? [() => `reject${dice.pick(rejections)}`] : [];
  return [() => 'accept', () => 'drop', ...reject, ...(isEarly ? [() => 'notrack'] : [])];
}
