import type { Value } from '../../common/ranges/valueRange.ts';

/**
 * What the rules of a destination say about each endpoint, in the order of their placeholders, with itself in place of its
 * number: endpoints of which the same is said fare alike as senders to it. `texts`: the rules, as `StepText` writes them,
 * of each side. `classes`: how the network and all other rules treat each.
 */
export function endpointKinds(
  texts: readonly string[],
  classes: ReadonlyMap<Value, string>,
): ReadonlyMap<Value, string> {
  const said = [...classes.values()].map((own) => [own]);
  for (const text of texts) {
    for (const [part] of withoutIndexes(withEndpoints(text)).matchAll(/[^\n{};,]*\$E\d+[^\n{};,]*/g)) {
      for (const number of new Set([...part.matchAll(/\$E(\d+)/g)].map(([, digits]) => Number(digits)))) {
        const own = part.replace(/\$E(\d+)/g, (whole, digits) => (Number(digits) === number ? '$E' : whole));
        said[number]?.push(own.trim());
      }
    }
  }
  return new Map([...classes.keys()].map((endpoint, number) => [endpoint, (said[number] ?? []).join('\n')]));
}

/** A chain that stands in braces where a rule first leads to it: its number is how many there were before. */
const chains = /(?<=(?:jump|goto) )(?:\{(?=([^{}]*))|#(\d+))/g;

/** `jump #3`, to a chain that is written elsewhere, with the endpoint that it leads to. */
function withEndpoints(text: string): string {
  const endpoints: (string | undefined)[] = [];
  return text.replace(chains, (whole, begun: string | undefined, number: string | undefined) => {
    if (number === undefined) {
      const [own, ...others] = new Set(begun?.match(/\$E\d+/g));
      endpoints.push(others.length === 0 ? own : undefined);
      return whole;
    }
    const endpoint = endpoints[Number(number)];
    return endpoint === undefined ? whole : `{#${endpoint}}`;
  });
}

/**
 * `numgen random mod 2 map { 0 : $E0 . 80, 1 : $E1 . 80 }`: each number is drawn as often as every other. An endpoint that
 * stands at two numbers is said twice; a range of numbers stays.
 */
function withoutIndexes(text: string): string {
  return text.replace(/numgen random mod \d+ map \{[^{}]*\}/g, (map) => map.replace(/([{,] *)\d+ : /g, '$1'));
}
