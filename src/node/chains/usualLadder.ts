import { usualComment } from '../../netfilter/iptables/usualComment.ts';

/**
 * The endpoints' chains that a balancing chain leads to whose text is as kube-proxy writes it: packets from outside the
 * range of Pods may be marked, then each endpoint gets the same share. Nothing is parsed, as in `usualEndpoint`.
 * Undefined: the text is another one, which may mean the same.
 */
export function usualLadder(text: string): readonly string[] | undefined {
  const targets: string[] = [];
  const shares: number[] = [];
  let rest = 1;
  step.lastIndex = mark.exec(text)?.[0].length ?? 0;
  for (let found = step.exec(text); found !== null; found = step.exec(text)) {
    const [all, probability, target] = found;
    targets.push(target as string);
    shares.push(probability === undefined ? rest : rest * Number(probability));
    if (probability !== undefined) rest -= shares.at(-1) as number;
    if (all.endsWith('\n')) continue;
    // The last one takes all that is left, and no other does.
    const isEven = shares.every((share) => Math.abs(share * shares.length - 1) < tolerance);
    return probability === undefined && isEven ? targets : undefined;
  }
  return undefined;
}

/** In proportion to an even share: checks of shares tolerate more. */
const tolerance = 1e-4;

const chain = /-A KUBE-[A-Z]+-[A-Z2-7]{16}/.source;
const mark = new RegExp(
  `^${chain} ! -s [\\d./]+ -d [\\d.]+/32 -p (tcp|udp|sctp)${usualComment} -m \\1 --dport \\d+ -j KUBE-MARK-MASQ\n`,
);
const step = new RegExp(
  `${chain}${usualComment}(?: -m statistic --mode random --probability (0\\.\\d+))? -j (KUBE-SEP-[A-Z2-7]{16})(?:\n|$)`,
  'y',
);
