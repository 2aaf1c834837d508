import type { Value } from '../../common/ranges/valueRange.ts';

/**
 * What the rules of a destination say about each endpoint, in the order of their placeholders, with itself in place of its
 * number: endpoints of which the same is said fare alike as senders to it. `classes`: how the network treats each.
 */
export function endpointKinds(rules: string, classes: ReadonlyMap<Value, string>): ReadonlyMap<Value, string> {
  const said = [...classes.values()].map((own) => [own]);
  for (const [part] of rules.replace(randomMap, withoutIndexes).matchAll(/[^\n{};,]*\$E\d+[^\n{};,]*/g)) {
    for (const number of new Set([...part.matchAll(/\$E(\d+)/g)].map(([, digits]) => Number(digits)))) {
      const own = part.replace(/\$E(\d+)/g, (whole, digits) => (Number(digits) === number ? '$E' : whole));
      said[number]?.push(own.trim());
    }
  }
  return new Map([...classes.keys()].map((endpoint, number) => [endpoint, (said[number] ?? []).join('\n')]));
}

/** `numgen random mod 2 map { 0 : $E0 . 80, 1 : $E1 . 80 }`: each number is drawn as often as every other. */
const randomMap = /numgen random mod \d+ map \{[^{}]*\}/g;

/** An endpoint that stands at two numbers is said twice; a range of numbers stays. */
function withoutIndexes(map: string): string {
  return map.replace(/([{,] *)\d+ : /g, '$1');
}
