/**
 * A protocol as iptables-save up to 1.8.10 prints it: lower case, by name where Debian's /etc/protocols has one. Newer
 * tools print most of them as numbers; both come out the same here. Undefined: any protocol, which is not printed.
 */
export function canonicalProtocol(text: string): string | undefined {
  if (common.has(text)) {
    return text;
  }
  const lower = text.toLowerCase();
  if (lower === 'all' || lower === 'ip' || lower === 'hopopt') {
    return undefined;
  }
  if (lower === 'icmpv6') {
    return 'ipv6-icmp';
  }
  const number = Number(lower);
  if (!Number.isInteger(number) || lower === '') {
    return lower;
  }
  return number === 0 ? undefined : (names.get(number) ?? String(number));
}

/** The number of a protocol given by name or number. */
export function protocolNumber(text: string): string {
  const name = canonicalProtocol(text);
  return name === undefined ? '0' : String(numbers.get(name) ?? name);
}

const numbers: ReadonlyMap<string, number> = new Map(
  Object.entries({
    icmp: 1,
    igmp: 2,
    ggp: 3,
    ipencap: 4,
    st: 5,
    tcp: 6,
    egp: 8,
    igp: 9,
    pup: 12,
    udp: 17,
    hmp: 20,
    'xns-idp': 22,
    rdp: 27,
    'iso-tp4': 29,
    dccp: 33,
    xtp: 36,
    ddp: 37,
    'idpr-cmtp': 38,
    ipv6: 41,
    'ipv6-route': 43,
    'ipv6-frag': 44,
    idrp: 45,
    rsvp: 46,
    gre: 47,
    esp: 50,
    ah: 51,
    skip: 57,
    'ipv6-icmp': 58,
    'ipv6-nonxt': 59,
    'ipv6-opts': 60,
    rspf: 73,
    vmtp: 81,
    eigrp: 88,
    ospf: 89,
    'ax.25': 93,
    ipip: 94,
    etherip: 97,
    encap: 98,
    pim: 103,
    ipcomp: 108,
    vrrp: 112,
    l2tp: 115,
    isis: 124,
    sctp: 132,
    fc: 133,
    'mobility-header': 135,
    udplite: 136,
    'mpls-in-ip': 137,
    manet: 138,
    hip: 139,
    shim6: 140,
    wesp: 141,
    rohc: 142,
    ethernet: 143,
  }),
);

const names: ReadonlyMap<number, string> = new Map([...numbers].map(([name, number]) => [number, name]));

const common: ReadonlySet<string> = new Set(['tcp', 'udp', 'sctp']);
