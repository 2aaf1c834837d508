/**
 * Both sides have the same rules for a destination, and its endpoints each have a chain that differs from those of the
 * others in the endpoint alone and gets the same share of the packets. Then it makes no difference which of them comes
 * first. Endpoints of many nodes stand in nearly as many orders as there are Services.
 */
export function treatsAlike(sides: readonly string[], endpoints: number): boolean {
  const [text = '', ...others] = sides;
  if (others.some((other) => other !== text)) return false;
  const chains = new Set<string>();
  let count = 0;
  let end = 0;
  for (const { 0: chain, index } of text.matchAll(chainOfEndpoint)) {
    const before = text.slice(end, index);
    if (before.includes('$E') || !isFair(before, endpoints - count)) return false;
    end = index + chain.length;
    let isOfOne = true;
    const plain = chain.replace(/\$E(\d+)/g, (_, number) => {
      isOfOne &&= Number(number) === count;
      return '$E';
    });
    chains.add(plain);
    if (!isOfOne || chains.size > 1) return false;
    count += 1;
  }
  return count > 1 && count === endpoints && !text.slice(end).includes('$E');
}

/** Chains of Services stand in braces where rules lead to them. */
const chainOfEndpoint = /\{[^{}]*\$E[^{}]*\}/g;

/** A chain that is chosen at random among so many that are left has the same chance as each of these. */
function isFair(before: string, left: number): boolean {
  const share = /(?:^|[\s{])(?:chance )?(\d(?:\.\d+)?)[ ;]jump $/.exec(before)?.[1];
  return share === undefined || Math.abs(Number(share) * left - 1) < tolerance;
}

/** Kernels keep shares as 31 bits, and kube-proxy writes ten digits. */
const tolerance = 1e-3;
