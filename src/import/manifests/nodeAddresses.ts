import { addressInCidr } from '../../common/addresses/addressInCidr.ts';
import { parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { familyOf, isLoopbackIp } from '../../common/addresses/ip.ts';
import { holdsNode } from '../../seen/ports/holdsNode.ts';
import type { SeenPort } from '../../seen/ports/seenPort.ts';
import type { SeenSettings } from '../../seen/settings/seenSettings.ts';

/** The node's addresses of both families: its own IP of each first, then further ones. */
export interface NodeAddresses {
  readonly nodeIPs: Readonly<Record<Family, string | undefined>>;
  readonly all: readonly string[];
  /** What was made up, and why. */
  readonly madeUp: ReadonlyMap<string, string>;
}

/** What is known beside the rules. */
export interface GivenAddresses {
  readonly nodeIPs: readonly string[];
  /** Further addresses of the node. */
  readonly others: readonly string[];
  /** Addresses of Services that the node's own interfaces have. */
  readonly ownExternal: readonly string[];
}

/**
 * The node's addresses: those that are given, then those at which node ports are open. Its own IP is the first that agrees
 * with what the source ranges of load balancers show. Where these cannot be explained without it, it is made up.
 */
export function nodeAddresses(
  ports: readonly SeenPort[],
  settings: readonly SeenSettings[],
  given: GivenAddresses,
): NodeAddresses {
  const madeUp = new Map<string, string>();
  const ofFamily = (family: Family) => {
    const own = (list: readonly string[]) => list.filter((ip) => familyOf(ip) === family);
    const [fixed] = own(given.nodeIPs);
    const known = [...own(given.others), ...shownAddresses(settings, family)];
    const agrees = agreement(ports, family);
    const nodeIP =
      fixed ?? known.find(agrees.holds) ?? (agrees.needed === undefined || agrees.isSoft ? known[0] : undefined);
    if (nodeIP !== undefined || agrees.needed === undefined) return { nodeIP, known, own };
    const made = madeUpIn(agrees.needed);
    if (made !== undefined) madeUp.set(made, `the rules show only that it is in ${agrees.needed}`);
    return { nodeIP: made, known, own };
  };
  const [four, six] = [ofFamily('ipv4'), ofFamily('ipv6')];
  const isSixFirst = given.nodeIPs[0] !== undefined && familyOf(given.nodeIPs[0]) === 'ipv6';
  const heads = isSixFirst ? [six.nodeIP, four.nodeIP] : [four.nodeIP, six.nodeIP];
  const further = [...four.known, ...four.own(given.ownExternal), ...six.known, ...six.own(given.ownExternal)];
  return {
    nodeIPs: { ipv4: four.nodeIP, ipv6: six.nodeIP },
    all: [...new Set([...heads.flatMap((ip) => ip ?? []), ...further])],
    madeUp,
  };
}

function shownAddresses(settings: readonly SeenSettings[], family: Family): readonly string[] {
  const own = settings.find((one) => one.family === family)?.nodePorts;
  return own?.kind === 'addresses' ? own.addresses.filter((ip) => !isLoopbackIp(ip)) : [];
}

/**
 * kube-proxy lets a load balancer's own addresses pass where a source range holds the node: an address agrees if it lies in
 * a range wherever they pass, and in none where they do not.
 */
function agreement(ports: readonly SeenPort[], family: Family) {
  const inside: (readonly string[])[] = [];
  const outside: (readonly string[])[] = [];
  let needed: string | undefined;
  let isSoft = true;
  for (const { family: own, sources, loadBalancerIPs } of ports) {
    if (own !== family || sources === undefined) continue;
    const others = sources.ranges.filter((range) => !loadBalancerIPs.includes(range));
    if (sources.own === 'none') outside.push(sources.ranges);
    else if (sources.own === 'apart') {
      inside.push(others);
      // A loopback address stands for a node IP that is not known.
      if (holdsNode(others, undefined, family)) continue;
      needed ??= smallest(others);
      isSoft &&= sources.mayHideZero === true;
    }
  }
  return {
    needed,
    /** A range that does not show may hold the node as well. */
    isSoft,
    holds: (ip: string) =>
      inside.every((ranges) => holdsNode(ranges, ip, family)) &&
      outside.every((ranges) => !holdsNode(ranges, ip, family)),
  };
}

function smallest(ranges: readonly string[]): string | undefined {
  const length = (range: string) => parseCidr(range)?.length ?? 128;
  return [...ranges].sort((a, b) => length(b) - length(a))[0];
}

function madeUpIn(range: string): string | undefined {
  const cidr = parseCidr(range);
  return cidr === undefined ? range : (addressInCidr(cidr, 1) ?? addressInCidr(cidr, 0));
}
