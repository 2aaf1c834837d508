import { addressPattern } from '../../netfilter/addressRanges.ts';
import type { IpSet } from '../../netfilter/ipset/ast.ts';
import { protocolNumber } from '../../netfilter/iptables/values/protocols.ts';
import type { WalkIpset, WalkMember, WalkMemberPart } from './walkInput.ts';

/**
 * A set in the form that the walk uses: each member in parts, one for each dimension. Unreadable members are left out.
 */
export function ipsetOf(set: IpSet): WalkIpset {
  const [method = '', kinds = ''] = set.type.split(':');
  if (method === 'list')
    return { name: set.name, dimensions: [], members: [], lists: set.members.map(({ member }) => member) };
  const dimensions = kinds.split(',');
  const members = set.members.flatMap(({ member, options }): WalkMember[] => {
    const parts = partsOf(member, dimensions);
    return parts === undefined ? [] : [{ parts, isException: options.some(({ name }) => name === 'nomatch') }];
  });
  return { name: set.name, dimensions, members };
}

/** `10.0.0.1,tcp:80,10.0.0.0/8`. */
function partsOf(member: string, dimensions: readonly string[]): readonly WalkMemberPart[] | undefined {
  const texts = member.split(',');
  const parts: WalkMemberPart[] = [];
  for (const [at, dimension] of dimensions.entries()) {
    const part = partOf(texts[at] ?? '', dimension);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

function partOf(text: string, dimension: string): WalkMemberPart | undefined {
  switch (dimension) {
    case 'ip':
    case 'net': {
      const range = addressPattern(text)?.range;
      return range && { range };
    }
    case 'port': {
      const [, protocol, ports = ''] = /^(?:([a-z0-9-]+):)?(\S+)$/.exec(text) ?? [];
      const [first = '', last = first] = ports.split('-');
      if (!/^\d+$/.test(first) || !/^\d+$/.test(last)) return undefined;
      const range = { first: Number(first), last: Number(last) };
      return protocol === undefined ? { range } : { range, protocol: Number(protocolNumber(protocol)) };
    }
    case 'mark':
      return { range: { first: Number(text), last: Number(text) } };
    case 'iface':
      return { range: { first: 0, last: 0 }, name: text.replace(/^physdev:/, '') };
    default:
      return undefined;
  }
}
