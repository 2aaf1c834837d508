import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import type { Rule } from './ast.ts';

/** What a rule asks of a packet in the plainest words. What it asks of all others (`!`) is left out. */
export interface RuleHead {
  readonly source?: string;
  readonly destination?: string;
  readonly protocol?: string;
  /** `80`, `30000:32767`. */
  readonly destinationPort?: string;
  /** Of its first comment. */
  readonly comment?: string;
}

/** Reads the head of a canonical rule; a single address comes without its length. */
export function ruleHead({ words }: Rule): RuleHead {
  const head: { -readonly [Name in keyof RuleHead]: RuleHead[Name] } = {};
  for (const word of words) {
    if (word.kind === 'source' && !word.negated) head.source = hostOfCidr(word.address);
    else if (word.kind === 'destination' && !word.negated) head.destination = hostOfCidr(word.address);
    else if (word.kind === 'protocol' && !word.negated) head.protocol = word.protocol;
    else if (word.kind === 'comment') head.comment ??= word.text;
    else if (word.kind === 'transport' && word.destinationPort !== undefined && !word.destinationPortNegated)
      head.destinationPort = word.destinationPort;
  }
  return head;
}
