import type { Value } from '../../common/ranges/valueRange.ts';
import type { InterfaceName } from '../../netfilter/meaning.ts';
import { addressClass } from './addressClass.ts';
import { networksApart } from './networksApart.ts';
import { placesIn, withoutTwins } from './placesIn.ts';
import type { ShapeSide } from './shapeSide.ts';

/** Numbers of classes: there are few, and as many endpoints as the cluster has Pods. */
export function addressClasses(sides: readonly ShapeSide[], interfaces: readonly InterfaceName[]) {
  const ranges = withoutTwins(sides.flatMap((side) => [...side.ranges, ...side.asked.networks]));
  const networks = networksApart(sides.map(({ context }) => context));
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const classOf = remembered((address) => {
    const ways = networks.map((context) => addressClass(address, interfaces, context));
    return numberOf([placesIn(address, ranges), ...ways].join(' | '));
  });
  const endpointClassOf = remembered((address) =>
    numberOf([classOf(address), ...sides.map((side) => elsewhereText(address, side))].join('\n')),
  );
  return { classOf, endpointClassOf };
}

function remembered<T>(make: (address: Value) => T): (address: Value) => T {
  const made = new Map<Value, T>();
  return (address) => {
    const known = made.get(address);
    if (known !== undefined) return known;
    const one = make(address);
    made.set(address, one);
    return one;
  };
}

/** If rules mention an endpoint itself, as policies do, it has no equals. */
function elsewhereText(address: Value, { byAddress, asked }: ShapeSide): string {
  return byAddress.has(address) ? `${address}` : asked.setsOf(address);
}
