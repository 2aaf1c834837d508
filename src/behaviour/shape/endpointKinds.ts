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
  for (const [side, text] of texts.entries()) noteSaid(withoutIndexes(text), side, said);
  return new Map([...classes.keys()].map((endpoint, number) => [endpoint, (said[number] ?? []).join('\n')]));
}

/**
 * Each mention with the side and the chain that it stands in. The chain of one endpoint counts as part of what leads to it, here and
 * wherever its number stands for it, `jump #3`: chains are numbered in the order in which their braces open.
 */
function noteSaid(text: string, side: number, said: readonly string[][]): void {
  const endpoints: (number | undefined)[] = [];
  const within: number[] = [-1];
  for (const { 0: token, index } of text.matchAll(/[{}]|[^\n{};,]+/g)) {
    const chain = within.at(-1) ?? -1;
    if (token === '}') {
      within.pop();
    } else if (token === '{') {
      const isChain = /(?:jump|goto) $/.test(text.slice(Math.max(0, index - 5), index));
      const only = isChain ? onlyEndpoint(text, index + 1) : undefined;
      within.push(isChain && only === undefined ? endpoints.length : chain);
      if (isChain) endpoints.push(only);
    } else {
      for (const number of endpointsIn(token)) {
        const own = token.replace(/\$E(\d+)/g, (whole, digits) => (Number(digits) === number ? '$E' : whole));
        said[number]?.push(`${side} ${chain} ${own.trim()}`);
      }
      const led = endpoints[Number(/(?:jump|goto) #(\d+)\s*$/.exec(token)?.[1])];
      if (led !== undefined) said[led]?.push(`${side} ${chain} #`);
    }
  }
}

function endpointsIn(text: string): ReadonlySet<number> {
  return new Set([...text.matchAll(/\$E(\d+)/g)].map(([, digits]) => Number(digits)));
}

/** The endpoint of a chain that names just one, and leads to no other chain of the Service. */
function onlyEndpoint(text: string, from: number): number | undefined {
  const [only, ...others] = endpointsIn(/[^{}]*/.exec(text.slice(from))?.[0] ?? '');
  return others.length === 0 ? only : undefined;
}

/**
 * `numgen random mod 2 map { 0 : $E0 . 80, 1 : $E1 . 80 }`: each number is drawn as often as every other. An endpoint that
 * stands at two numbers is said twice; a range of numbers stays.
 */
function withoutIndexes(text: string): string {
  return text.replace(/numgen random mod \d+ map \{[^{}]*\}/g, (map) => map.replace(/([{,] *)\d+ : /g, '$1'));
}
