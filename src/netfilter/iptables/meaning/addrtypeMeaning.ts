import type { Family } from '../../../common/addresses/family.ts';
import { type Condition, type RouteType, routeTypes } from '../../meaning.ts';
import type { AddrtypeOption } from '../ast.ts';
import { all, negated } from './matchMeaning.ts';

/** `-m addrtype`, which asks addresses of the two families in different ways. */
export function addrtypeMeaning(options: readonly AddrtypeOption[], family: Family): Condition {
  const isLimited = (name: string) => options.some((option) => option.name === name && !option.negated);
  const via = isLimited('limit-iface-in') ? 'in' : isLimited('limit-iface-out') ? 'out' : undefined;
  const conditions = options.flatMap((option): Condition[] => {
    if (!('types' in option)) return [];
    const unheard = option.types.filter((type) => !walkedTypes.has(type));
    if (unheard.length > 0) return [{ kind: 'unknown', text: `address type ${unheard.join(',')}` }];
    const side = option.name === 'src-type' ? 'source' : 'destination';
    const types = option.types.map((type) => type.toLowerCase() as RouteType);
    const condition: AddressType = { kind: 'addressType', side, types, ...(via && { via }) };
    return [negated(family === 'ipv6' ? addrtypeOfIpv6(condition) : condition, option.negated)];
  });
  return all(conditions);
}

type AddressType = Extract<Condition, { kind: 'addressType' }>;

/**
 * Of IPv6 an address has to be both multicast and unicast if both are asked for: these are seen by the address alone, so
 * that the node's own are unicast too. Of the others, which the routes tell, one is enough.
 */
function addrtypeOfIpv6(condition: AddressType): Condition {
  const { side, types } = condition;
  const routed = types.filter((type) => type !== 'unicast' && type !== 'multicast');
  const multicast: Condition = {
    kind: 'values',
    field: side,
    ranges: [{ first: 0xffn << 120n, last: (1n << 128n) - 1n }],
  };
  const unicast: Condition = { kind: 'values', field: side, ranges: [{ first: 1n, last: (0xffn << 120n) - 1n }] };
  return all([
    ...(types.includes('multicast') ? [multicast] : []),
    ...(types.includes('unicast') ? [unicast] : []),
    ...(routed.length > 0 ? [{ ...condition, types: routed }] : []),
  ]);
}

const walkedTypes: ReadonlySet<string> = new Set(routeTypes.map((type) => type.toUpperCase()));
