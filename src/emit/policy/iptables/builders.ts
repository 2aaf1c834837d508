import type { Family } from '../../../common/addresses/family.ts';
import type { Match, Rule, Target, Word } from '../../../netfilter/iptables/ast.ts';
import { option } from '../../../netfilter/iptables/print/builders.ts';

/** "Some policy of this Pod allows". */
const allowedMark = 0x10000;
/** "Passed all Pod chains". */
const passedMark = 0x20000;

export const hasAllowed: Match = { kind: 'mark', value: allowedMark, mask: allowedMark };
export const lacksAllowed: Match = { ...hasAllowed, negated: true };
export const hasPassed: Match = { kind: 'mark', value: passedMark, mask: passedMark };
export const setAllowed: Target = setMark(allowedMark, allowedMark);
export const clearAllowed: Target = setMark(0, allowedMark);
export const setPassed: Target = setMark(passedMark, passedMark);

export function rule(chain: string, words: readonly Word[], target: Target): Rule {
  return { chain, words, target };
}

export function comment(text: string): Match {
  return { kind: 'comment', text: clamp(text) };
}

/** The sender learns of a rejection at once. */
export function reject(family: Family): Target {
  return { kind: 'reject', with: family === 'ipv4' ? 'icmp-port-unreachable' : 'icmp6-port-unreachable' };
}

export function log(group: number): Target {
  return { kind: 'other', name: 'NFLOG', options: [option('nflog-group', String(group))] };
}

function setMark(value: number, mask: number): Target {
  return { kind: 'mark', operation: 'set-xmark', value, mask };
}

/** kube-router cuts comments at 120 bytes and omits control characters. */
function clamp(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f]/g, '');
  const bytes = new TextEncoder().encode(clean);
  if (bytes.length <= 120) return clean;
  // A character that is cut in two is dropped completely.
  return new TextDecoder().decode(bytes.subarray(0, 120)).replace(/\ufffd+$/, '');
}
