import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { maskLength } from '../../common/addresses/maskLength.ts';
import { addressPattern } from '../../netfilter/addressRanges.ts';
import type { NetworkRoute } from '../../node/networkFacts.ts';

/** What a line of net-tools says; undefined: not from net-tools. */
export type RoutingTableLine =
  | { readonly kind: 'heading' }
  /** Set if there is no route: every kernel has this one, which refuses what no other route takes. */
  | { readonly kind: 'row'; readonly route?: NetworkRoute };

/**
 * Reads the lines of `route -n`, `netstat -rn` and their forms for IPv6 in turn: the headings define the columns. They
 * show the main table (for IPv6 the local one too), and only the first of several next hops. They do not distinguish
 * all types of routes that lead nowhere.
 */
export function routingTableReader(): (line: string) => RoutingTableLine | undefined {
  let columns = ['Flags', 'Metric', 'Ref', 'Use', 'Iface'];
  return (line) => {
    if (heading.test(line)) {
      const shown = /^Destination\s+Gateway\s+Genmask\s+(.*)$/.exec(line)?.[1];
      if (shown !== undefined) columns = shown.trim().split(/\s+/);
      return { kind: 'heading' };
    }
    const words = line.trim().split(/\s+/);
    return words[0]?.includes(':') ? ipv6Row(words) : ipv4Row(words, columns);
  };
}

/** The two lines above the rows; a search may have left only one. */
const heading = /^(?:Kernel IP(?:v6)? routing (?:table|cache)|Destination\s+(?:Gateway\s+Genmask|Next Hop)\s)/;

/** `10.244.1.0 0.0.0.0 255.255.255.0 U 0 0 0 cni0`. */
function ipv4Row(words: readonly string[], columns: readonly string[]): RoutingTableLine | undefined {
  const [written = '', gateway = '', mask = '', flags = ''] = words;
  const value = (column: string): string | undefined => words[columns.indexOf(column) + 3];
  const device = value('Iface');
  const length = maskLength(mask);
  const destination = written === 'default' ? '0.0.0.0' : canonicalIp(written);
  if (words.length !== columns.length + 3 || device === undefined || length === undefined) return undefined;
  if (destination === undefined || !/^[!U][A-Za-z]*$/.test(flags)) return undefined;
  const isNowhere = flags.startsWith('!') || device === '*';
  const metric = columns.includes('Metric') ? Number(value('Metric')) : 0;
  return {
    kind: 'row',
    route: {
      family: 'ipv4',
      type: flags.startsWith('!') ? 'unreachable' : isNowhere ? 'blackhole' : 'unicast',
      destination: `${destination}/${length}`,
      ...(flags.includes('G') && familyOf(gateway) === 'ipv4' && { via: gateway }),
      ...(!isNowhere && { device }),
      table: 'main',
      metric: Number.isInteger(metric) ? metric : 0,
    },
  };
}

/** `fd00:20::/64 2001:db8::13 UG 1024 2 0 eth0`; addresses of the node have `Un`. */
function ipv6Row(words: readonly string[]): RoutingTableLine | undefined {
  const [destination = '', gateway = '', flags = '', metric = '', , , device] = words;
  const network = addressPattern(destination);
  if (words.length !== 7 || device === undefined || !/^[!U][A-Za-z]*$/.test(flags)) return undefined;
  if (network === undefined || !destination.includes('/') || !/^-?\d+$/.test(metric)) return undefined;
  if (metric === '-1' || metric === '4294967295') return { kind: 'row' };
  const isNowhere = flags.startsWith('!');
  const isOwn = flags.includes('n') && destination.endsWith('/128') && !isNowhere;
  const isMulticast = destination === 'ff00::/8';
  return {
    kind: 'row',
    route: {
      family: 'ipv6',
      type: isNowhere ? 'unreachable' : isOwn ? 'local' : isMulticast ? 'multicast' : 'unicast',
      destination,
      ...(flags.includes('G') && { via: gateway }),
      ...(!isNowhere && { device }),
      table: isOwn || isMulticast ? 'local' : 'main',
      metric: Number(metric),
    },
  };
}
