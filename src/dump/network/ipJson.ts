/**
 * Rewrites the output of `ip -j addr`, `ip -j route`, `ip -j rule` and `bridge -j link` as the text that the same commands
 * print without `-j`. Several outputs may follow each other. Undefined: the text is no such output, or a value in it does
 * not fit into one word of the text. Recorded with iproute2 6.1.
 */
export function plainIpText(text: string): string | undefined {
  if (!begins.test(text.slice(0, beginning))) return undefined;
  const items = arraysIn(text);
  if (items === undefined || items.length === 0) return undefined;
  const lines = items.map(linesOf);
  return lines.includes(undefined) ? undefined : `${lines.flatMap((some) => some ?? []).join('\n')}\n`;
}

const begins = /^\s*\[\s*\{\s*"(?:ifindex|type|dst|priority|link)"/;
const beginning = 200;

type Item = Readonly<Record<string, unknown>>;

function arraysIn(text: string): readonly Item[] | undefined {
  const whole = itemsOf(text);
  if (whole !== undefined) return whole;
  const parts = text.split(/(?<=\])\s*\n(?=\s*\[)/).map(itemsOf);
  return parts.includes(undefined) ? undefined : parts.flatMap((items) => items ?? []);
}

function itemsOf(text: string): readonly Item[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
    return isList ? (value as readonly Item[]).filter((one) => Object.keys(one).length > 0) : undefined;
  } catch {
    return undefined;
  }
}

function linesOf(item: Item): readonly string[] | undefined {
  const parts =
    item.ifname !== undefined
      ? linkLines(item)
      : item.dst !== undefined && item.priority === undefined
        ? routeLines(item)
        : ruleLines(item);
  return parts.every((line) => line !== undefined) ? (parts as readonly string[]) : undefined;
}

/** Undefined: a value is missing that the line needs, or is no single word. */
type Line = string | undefined;

function linkLines(item: Item): readonly Line[] {
  const { ifindex, ifname, link, flags, linkinfo, addr_info: addresses } = item;
  const info = (linkinfo ?? {}) as Item;
  const slave = (info.info_slave_data ?? item) as Item;
  const named = link === undefined || link === null ? word(ifname) : joined('@', word(ifname), word(link));
  const shown = Array.isArray(flags) ? flags.map(word) : [];
  const head = sentence(
    joined('', word(ifindex), ':'),
    joined('', named, ':'),
    joined('', '<', shown.every((one) => one !== undefined) ? shown.join() : undefined, '>'),
    ...pairs(item, ['mtu', 'qdisc', 'master', 'state', 'group']),
  );
  const own = (Array.isArray(addresses) ? (addresses as readonly Item[]) : []).filter(
    ({ local }) => local !== undefined,
  );
  return [
    head,
    ...(item.link_type === undefined
      ? []
      : [sentence(joined('', '    link/', word(item.link_type)), ...optional(item.address))]),
    ...(info.info_kind === 'bridge' ? ['    bridge forward_delay 1500'] : []),
    ...(typeof slave.hairpin === 'boolean' ? [`    hairpin ${slave.hairpin ? 'on' : 'off'} guard off`] : []),
    ...own.map((address) =>
      sentence(
        joined('', '    ', word(address.family)),
        joined('/', word(address.local), word(address.prefixlen)),
        ...pairs(address, ['scope']),
        ...['deprecated', 'tentative', 'dadfailed'].filter((flag) => address[flag] === true),
        word(ifname),
      ),
    ),
  ];
}

function routeLines(item: Item): readonly Line[] {
  const hops = Array.isArray(item.nexthops) ? (item.nexthops as readonly Item[]) : [];
  return [
    sentence(
      ...(item.type === undefined || item.type === 'unicast' ? [] : [word(item.type)]),
      word(item.dst),
      ...hop(item),
      ...pairs(item, ['table', 'scope', 'metric', 'pref']),
      ...(item.prefsrc === undefined ? [] : ['src', word(item.prefsrc)]),
      ...flagsOf(item),
    ),
    ...hops.map((one) => sentence('\tnexthop', ...hop(one), ...flagsOf(one))),
  ];
}

/** `via 10.0.0.1 dev eth0`, with the family of a gateway of the other one. */
function hop({ gateway, via, dev }: Item): readonly Line[] {
  const { family, host } = (via ?? {}) as Item;
  return [
    ...(gateway === undefined ? [] : ['via', word(gateway)]),
    ...(host === undefined ? [] : ['via', word(family), word(host)]),
    ...(dev === undefined ? [] : ['dev', word(dev)]),
  ];
}

/** `dead`, `linkdown`: the kernel skips such a route. */
function flagsOf({ flags }: Item): readonly Line[] {
  return Array.isArray(flags) ? flags.map(word) : [];
}

/** `32766: from all lookup main`; a rule with anything else is not read. */
function ruleLines(item: Item): readonly Line[] {
  const known = [
    'priority',
    'not',
    'src',
    'srclen',
    'dst',
    'dstlen',
    'fwmark',
    'fwmask',
    'iif',
    'oif',
    'table',
    'protocol',
  ];
  if (Object.keys(item).some((name) => !known.includes(name))) return [undefined];
  const network = (address: unknown, length: unknown) =>
    length === undefined ? word(address) : joined('/', word(address), word(length));
  const { fwmark, fwmask } = item;
  return [
    sentence(
      joined('', word(item.priority), ':'),
      ...(item.not === undefined ? [] : ['not']),
      'from',
      network(item.src, item.srclen),
      ...(item.dst === undefined ? [] : ['to', network(item.dst, item.dstlen)]),
      ...(fwmark === undefined
        ? []
        : ['fwmark', fwmask === undefined ? word(fwmark) : joined('/', word(fwmark), word(fwmask))]),
      ...pairs(item, ['iif', 'oif']),
      'lookup',
      word(item.table),
    ),
  ];
}

function pairs(item: Item, names: readonly string[]): readonly Line[] {
  return names.flatMap((name) => (item[name] === undefined ? [] : [name, word(item[name])]));
}

function optional(value: unknown): readonly Line[] {
  return value === undefined ? [] : [word(value)];
}

/** A value as one word of a line: names of devices contain no blanks. */
function word(value: unknown): Line {
  const text = typeof value === 'number' || typeof value === 'string' ? `${value}` : undefined;
  return text !== undefined && /^\S+$/.test(text) ? text : undefined;
}

function joined(between: string, ...parts: readonly Line[]): Line {
  return parts.includes(undefined) ? undefined : parts.join(between);
}

function sentence(...parts: readonly Line[]): Line {
  return joined(' ', ...parts);
}
