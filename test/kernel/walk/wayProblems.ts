import type { KernelWays } from './kernelWays.ts';
import type { WalkedOutcome, WalkedWay } from './walkedWays.ts';

export interface WayProblems {
  readonly problems: readonly string[];
  /** Ways of later packets and answers that were compared. */
  readonly further: number;
}

/** What is wrong with the outcomes of a walk, where the kernel's packets went these ways: one of them must be it. */
export function wayProblems(outcomes: readonly WalkedOutcome[], ways: KernelWays): WayProblems {
  const own = outcomes.filter(({ first }) => isSame(first.events, ways.first));
  if (own.length === 0) {
    const problem = difference(
      'the packet',
      inOrder(ways.first),
      outcomes.map(({ first }) => inOrder(first.events)),
    );
    return { problems: [problem], further: 0 };
  }
  // Whether an answer comes by the node is a matter of routes outside, and of chance only one way is walked.
  // So it is behind a condition that nobody can answer: what follows may be asked the same.
  const isSure = own.every(({ share }) => share !== '?');
  const isOne = isSure && own.every(({ reply }) => reply !== undefined && reply.isOneOfMany === undefined);
  const isTold = ways.answer !== undefined || own.every(({ first }) => first.end.startsWith('rejected'));
  const reply = isOne && isTold ? ways.reply : undefined;
  const later = isOne ? ways.later : undefined;
  const problems = [
    ...answerProblem(own, ways.answer),
    ...furtherProblem(
      'the answer',
      reply,
      own.map((each) => each.reply),
    ),
    ...furtherProblem(
      'the next packet',
      later,
      own.map((each) => each.later),
    ),
  ];
  return { problems, further: [reply, later].filter((way) => way !== undefined).length };
}

/** Who answered whom is where a walk says that the packet arrives. */
function answerProblem(own: readonly WalkedOutcome[], answer: string | undefined): readonly string[] {
  if (answer === undefined || own.some(({ first: { packet } }) => packet !== undefined && covers(packet, answer))) {
    return [];
  }
  return [`the packet arrives as ${answer}, in the walk as ${own.map(({ first }) => first.packet ?? first.end)}`];
}

/** `*` stands for any word; where it is not known who answered, the sender is compared. */
function covers(packet: string, answer: string): boolean {
  const isSenderAlone = answer.endsWith(' > *');
  const [text, seen] = isSenderAlone ? [senderOf(packet), senderOf(answer)] : [packet, answer];
  const pattern = text.replace(/[.[\]]/g, '\\$&').replaceAll('*', '\\S+');
  return new RegExp(`^${pattern}$`).test(seen);
}

function senderOf(packet: string): string {
  return packet.slice(0, packet.indexOf(' > '));
}

function furtherProblem(
  what: string,
  way: readonly string[] | undefined,
  walked: readonly (WalkedWay | undefined)[],
): readonly string[] {
  if (way === undefined || walked.some((each) => each?.isOneOfMany)) return [];
  const texts = walked.map((each) => inOrder(each?.events ?? []));
  return texts.some((each) => isSame(each, way)) ? [] : [difference(what, inOrder(way), texts)];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [inOrder(one), inOrder(other)];
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/** The kernel tells of iptables-legacy by another way than of nft: how the two take turns it does not say. */
function inOrder(events: readonly string[]): readonly string[] {
  const isLegacy = (text: string) => text.startsWith('legacy ');
  return [...events.filter((text) => !isLegacy(text)), ...events.filter(isLegacy)];
}

/** Where the ways part, of the one that goes along longest. */
function difference(what: string, kernel: readonly string[], walked: readonly (readonly string[])[]): string {
  const shared = (way: readonly string[]) => {
    const at = way.findIndex((text, place) => text !== kernel[place]);
    return at === -1 ? way.length : at;
  };
  const [nearest = []] = [...walked].sort((a, b) => shared(b) - shared(a));
  const at = shared(nearest);
  const before = nearest.slice(Math.max(0, at - 3), at).join(', ');
  return `${what}, after [${before}]: the kernel says ${kernel[at] ?? 'nothing more'}, the walk ${nearest[at] ?? 'nothing more'}`;
}
