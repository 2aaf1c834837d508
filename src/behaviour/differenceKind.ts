import type { BehaviourFinding } from './behaviourFinding.ts';
import { addressWords } from './outcome/addressWords.ts';
import type { Distribution } from './outcome/distribution.ts';
import type { BehaviourOutcome } from './outcome/outcome.ts';

/** What a difference is, without its Service and sender: findings of one kind are reported together. */
export interface DifferenceKind {
  /** `nodePort port: answered -> refused`. */
  readonly id: string;
  /** `node port on another address of the node`. */
  readonly where: string;
  readonly a: string;
  readonly b: string;
}

export function differenceKind(finding: BehaviourFinding): DifferenceKind {
  const { destination, name } = finding;
  const { a, b } = finding.like ?? finding;
  const where = `${destination.use === 'other' ? 'another port of a ' : ''}${addressWords[name.kind]}`;
  const [before, after] = [wordOf(a), wordOf(b)];
  const [one, other] = before === after ? detail(a, b, before) : [before, after];
  return {
    id: `${destination.use === 'other' ? 'other' : 'port'} ${name.kind}: ${one} -> ${other}`,
    where,
    a: one,
    b: other,
  };
}

/** What a sender notices, in a word, whatever the endpoint. */
function wordOf({ outcomes, isOpen }: Distribution): string {
  const words = new Set([...outcomes.values()].map(({ outcome }) => outcomeWord(outcome)));
  return `${isOpen ? 'maybe ' : ''}${[...words].sort().join(' or ')}`;
}

function outcomeWord({ kind }: BehaviourOutcome): string {
  switch (kind) {
    case 'arrives':
      return 'answered';
    case 'leaves':
      return 'leaves untranslated';
    case 'node':
      return 'comes to the node';
    case 'refused':
      return 'refused';
    case 'dropped':
      return 'dropped';
    case 'unroutable':
      return 'unroutable';
    case 'unknown':
      return 'unknown';
  }
}

/** What differs if the words are the same. */
function detail(a: Distribution, b: Distribution, word: string): readonly [string, string] {
  const [ends, others] = [endpointsOf(a), endpointsOf(b)];
  if ([...ends].some((end) => !others.has(end)) || [...others].some((end) => !ends.has(end))) {
    const isLess = [...others].every((end) => ends.has(end));
    const isMore = [...ends].every((end) => others.has(end));
    return isLess ? [word, 'fewer endpoints'] : isMore ? [word, 'more endpoints'] : [word, 'other endpoints'];
  }
  if (masquerading(a) !== masquerading(b)) return [masquerading(a), masquerading(b)];
  const [stays, staysElse] = [stay(a), stay(b)];
  if (stays !== staysElse) return [stays, staysElse];
  if (word === 'refused') return ['refused', 'refused otherwise'];
  return [word, 'other shares'];
}

function endpointsOf({ outcomes }: Distribution): ReadonlySet<string> {
  return new Set([...outcomes.values()].map(({ outcome: { at } }) => `${at?.address} ${at?.port}`));
}

function masquerading({ outcomes }: Distribution): string {
  const all = new Set(
    [...outcomes.values()].map(({ outcome }) => (outcome.isMasqueraded ? 'masqueraded' : 'own source')),
  );
  return [...all].sort().join(' or ');
}

function stay({ outcomes }: Distribution): string {
  const times = new Set([...outcomes.values()].map(({ outcome: { staysFor } }) => staysFor));
  const text = (time: number | undefined) =>
    time === undefined ? 'no affinity' : `affinity of ${Number.isFinite(time) ? `${time / 1000} s` : 'any time'}`;
  return [...times].map(text).sort().join(' or ');
}
