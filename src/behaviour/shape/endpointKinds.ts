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
  const shareName = shareNames();
  for (const [side, text] of texts.entries()) noteSaid(withoutIndexes(text), side, said, shareName);
  return new Map([...classes.keys()].map((endpoint, number) => [endpoint, (said[number] ?? []).join('\n')]));
}

/**
 * Each mention with the side and the chain that it stands in. The chain of one endpoint counts as part of what leads to it, here and
 * wherever its number stands for it, `jump #3`: chains are numbered in the order in which their braces open. Of packets
 * that come to a chain, such a jump takes a share.
 */
function noteSaid(
  text: string,
  side: number,
  said: readonly string[][],
  shareName: (share: number | undefined) => string | number,
): void {
  const endpoints: (number | undefined)[] = [];
  const within: number[] = [-1];
  const shares = [sharesOfChain()];
  for (const { 0: token, index } of text.matchAll(/[{}]|[^\n{};,]+/g)) {
    const chain = within.at(-1) ?? -1;
    if (token === '}') {
      within.pop();
      shares.pop();
    } else if (token === '{') {
      const isChain = /(?:jump|goto) $/.test(text.slice(Math.max(0, index - 5), index));
      const only = isChain ? onlyEndpoint(text, index + 1) : undefined;
      if (only !== undefined) said[only]?.push(`${side} ${chain} ${shareName(shares.at(-1)?.last())}`);
      if (!isChain) shares.at(-1)?.take('', false);
      within.push(isChain && only === undefined ? endpoints.length : chain);
      shares.push(sharesOfChain());
      if (isChain) endpoints.push(only);
    } else {
      for (const number of endpointsIn(token)) {
        const own = token.replace(/\$E(\d+)/g, (whole, digits) => (Number(digits) === number ? '$E' : whole));
        said[number]?.push(`${side} ${chain} ${own.trim()}`);
      }
      const share = shares.at(-1)?.take(token, index === 0 || '\n{'.includes(text[index - 1] ?? ''));
      const led = endpoints[Number(/(?:jump|goto) #(\d+)\s*$/.exec(token)?.[1])];
      if (led !== undefined) said[led]?.push(`${side} ${chain} # ${shareName(share)}`);
    }
  }
}

interface ChainShares {
  /**
   * Reads a part of a line, and says which share of the packets that come to the chain a jump takes: each takes its part of
   * what those before have left. Undefined: it is no jump, or asks for something else, too.
   */
  readonly take: (part: string, isFirst: boolean) => number | undefined;
  /** That of the last part. */
  readonly last: () => number | undefined;
}

/** `0.33333333349 jump `, `chance 0.33333333349;jump #2`, `jump `. */
function sharesOfChain(): ChainShares {
  let left = 1;
  let chance: number | undefined;
  let last: number | undefined;
  return {
    take: (part, isFirst) => {
      const [whole, only, own, jump] = /^(?:chance (\S+)|(?:(\d\S*) )?(jump) (?:#\d+)?)$/.exec(part) ?? [];
      const before = isFirst ? 1 : chance;
      chance = whole === undefined || before === undefined ? undefined : before * Number(only ?? own ?? 1);
      last = chance === undefined || jump === undefined ? undefined : left * chance;
      left -= last ?? 0;
      return last;
    },
    last: () => last,
  };
}

/** A name for each share. Kernels keep chances as 31 bits, and kube-proxy writes ten digits: equal shares differ a little. */
function shareNames(): (share: number | undefined) => string | number {
  const known: number[] = [];
  return (share) => {
    if (share === undefined) return '';
    const at = known.findIndex((one) => Math.abs(one - share) < 1e-6);
    return at === -1 ? known.push(share) - 1 : at;
  };
}

function endpointsIn(text: string): ReadonlySet<number> {
  return new Set([...text.matchAll(/\$E(\d+)/g)].map(([, digits]) => Number(digits)));
}

/** The endpoint of a chain that names just one, and leads to no other chain of the Service. What a rule looks up has braces, too. */
function onlyEndpoint(text: string, from: number): number | undefined {
  const braces = /(?:jump |goto )?\{|\}/g;
  braces.lastIndex = from;
  for (let depth = 1; depth > 0; ) {
    const [brace] = braces.exec(text) ?? [];
    if (brace !== '{' && brace !== '}') return undefined;
    depth += brace === '{' ? 1 : -1;
  }
  const [only, ...others] = endpointsIn(text.slice(from, braces.lastIndex));
  return others.length === 0 ? only : undefined;
}

/**
 * `numgen random mod 2 map { 0 : $E0 . 80, 1 : $E1 . 80 }`: each number is drawn as often as every other. An endpoint that
 * stands at two numbers is said twice; a range of numbers stays.
 */
function withoutIndexes(text: string): string {
  return text.replace(/numgen random mod \d+ map \{[^{}]*\}/g, (map) => map.replace(/([{,] *)\d+ : /g, '$1'));
}
