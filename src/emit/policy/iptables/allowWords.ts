import type { Word } from '../../../netfilter/iptables/ast.ts';
import { inSet } from '../../../netfilter/iptables/print/builders.ts';
import { comment } from './builders.ts';
import type { Allow } from './policyAllows.ts';

/** A condition as the words of a rule, its tag as the comment. */
export function allowWords(allow: Allow): readonly Word[] {
  const words: Word[] = [];
  const protocol = allow.protocol?.toLowerCase();
  if (protocol !== undefined) words.push({ kind: 'protocol', protocol });
  words.push(comment(allow.tag));
  if (allow.source !== undefined) words.push(inSet(allow.source, ['src']));
  if (allow.destination !== undefined) words.push(inSet(allow.destination, ['dst']));
  if (protocol !== undefined && allow.ports !== undefined) {
    words.push({ kind: 'transport', protocol, destinationPort: allow.ports });
  }
  return words;
}
