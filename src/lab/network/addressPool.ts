import { addressInCidr } from '../../common/addresses/addressInCidr.ts';
import { cidrContains, parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';

/** Gives out addresses that nobody has, each once. */
export interface AddressPool {
  /** Of a network, as high as in `.200` of a /24 where it is so large; undefined: all are taken. */
  readonly within: (cidr: string) => string | undefined;
  /** For a node of which no address is known. */
  readonly forNode: (family: Family) => string | undefined;
  /** For a Pod where no range of Pods is known. */
  readonly forPod: (family: Family) => string | undefined;
  /** In none of the networks that anything is allowed or translated by. */
  readonly outside: (family: Family, avoided: readonly string[]) => string | undefined;
}

/** `known` are the addresses that must not be given out. */
export function createAddressPool(known: Iterable<string>): AddressPool {
  const taken = new Set(known);
  const take = (cidrs: readonly string[], firstOffset: number, isGood: (address: string) => boolean = () => true) => {
    for (const text of cidrs) {
      const cidr = parseCidr(text);
      if (cidr === undefined) continue;
      const last = Number(BigInt(cidr.last) - BigInt(cidr.first));
      const first = Math.min(firstOffset, last);
      for (let offset = first; offset <= Math.min(last, first + mostTried); offset += 1) {
        const address = addressInCidr(cidr, offset);
        if (address === undefined || taken.has(address) || !isGood(address)) continue;
        taken.add(address);
        return address;
      }
    }
    return undefined;
  };
  return {
    within: (cidr) => take([cidr], 200) ?? take([cidr], 1),
    forNode: (family) => take(nodeNetworks[family], 1),
    forPod: (family) => take(podNetworks[family], 200),
    outside: (family, avoided) =>
      take(outsideNetworks[family], 7, (address) => !avoided.some((cidr) => cidrContains(cidr, address))),
  };
}

const mostTried = 4000;

const nodeNetworks: Readonly<Record<Family, readonly string[]>> = {
  ipv4: ['192.168.10.0/24', '172.31.250.0/24'],
  ipv6: ['fd00:192:168:10::/64'],
};

const podNetworks: Readonly<Record<Family, readonly string[]>> = {
  ipv4: ['10.244.250.0/24', '172.30.250.0/24'],
  ipv6: ['fd00:10:244:250::/64'],
};

/** Those that are for documentation; one for benchmarks, and one that nobody announces. */
const outsideNetworks: Readonly<Record<Family, readonly string[]>> = {
  ipv4: ['198.51.100.0/24', '192.0.2.0/24', '203.0.113.0/24', '198.18.77.0/24', '25.77.0.0/24'],
  ipv6: ['2001:db8:7::/64', '2001:db8:ffff::/64', '3fff:77::/64'],
};
