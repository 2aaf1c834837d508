import { plainIpv4, plainPort } from '../../../common/addresses/plainPatterns.ts';
import type { NftRule, Statement } from '../ast.ts';
import { canonicalAddress } from '../values/address.ts';
import { readRule } from './readRule.ts';

/**
 * A rule of the chains that kube-proxy (from 1.29 on) makes for Services and endpoints, as nft lists it: its text is the one
 * that we would write, it is canonical, and a choice that it makes is even. A large node has hundreds of thousands of them,
 * most of which nobody asks what they do: that is read on demand. A class, like LazyRule.
 */
export class UsualRule implements NftRule {
  readonly text: string;
  #statements: readonly Statement[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get statements(): readonly Statement[] {
    this.#statements ??= readRule(this.text, true).statements;
    return this.#statements;
  }
}

/** `text`: a rule of a listing, without its indentation. Undefined: any other rule. */
export function usualRule(text: string): UsualRule | undefined {
  return isUsual(text) ? new UsualRule(text) : undefined;
}

function isUsual(text: string): boolean {
  switch (text.charCodeAt(0)) {
    case letters.g:
    case letters.j:
      return plainVerdict.test(text);
    case letters.i: {
      if (markOfEndpoint4.test(text)) return true;
      const address = markOfEndpoint6.exec(text)?.[1];
      return address !== undefined && canonicalAddress(address) === address;
    }
    case letters.m: {
      if (translation4.test(text)) return true;
      const address = translation6.exec(text)?.[1];
      if (address !== undefined) return canonicalAddress(address) === address;
      return isEvenChoice(text, choiceOfTargets.exec(text));
    }
    case letters.n:
      return isEvenChoice(text, choiceOfChains.exec(text));
    default:
      return false;
  }
}

const letters = { g: 0x67, i: 0x69, j: 0x6a, m: 0x6d, n: 0x6e } as const;

const protocol = '(?:tcp|udp|sctp)';
/** Names of kube-proxy's chains: no other character makes nft quote a word. */
const chain = '[a-z][\\w./:-]*';

const plainVerdict = new RegExp(`^(?:jump mark-for-masquerade|goto ${chain})$`);
const markOfEndpoint4 = new RegExp(`^ip saddr ${plainIpv4} jump mark-for-masquerade$`);
const markOfEndpoint6 = /^ip6 saddr ([\da-f:]+) jump mark-for-masquerade$/;
const translation4 = new RegExp(`^meta l4proto ${protocol} dnat to ${plainIpv4}:${plainPort}$`);
const translation6 = new RegExp(`^meta l4proto ${protocol} dnat to \\[([\\da-f:]+)\\]:${plainPort}$`);
/** Through 1.35; since 1.36 the addresses themselves are chosen. */
const choiceOfChains = /^numgen random mod ([1-9]\d{0,5}) vmap \{ /;
const choiceOfTargets = new RegExp(`^meta l4proto ${protocol} dnat ip6? to numgen random mod ([1-9]\\d{0,5}) map \\{ `);
const target = new RegExp(`(?:goto ${chain}|${plainIpv4} \\. ${plainPort})(?=, | \\})`, 'y');
const target6 = new RegExp(`([\\da-f:]+) \\. ${plainPort}(?=, | \\})`, 'y');

/** Each number from 0 on leads to a place of its own. */
function isEvenChoice(text: string, head: RegExpExecArray | null): boolean {
  if (head === null) return false;
  const modulus = Number(head[1]);
  const targets = new Set<string>();
  let at = head[0].length;
  for (let number = 0; number < modulus; number += 1) {
    const key = `${number} : `;
    if (!text.startsWith(key, at)) return false;
    const start = at + key.length;
    const end = endOfTarget(text, start);
    if (end === -1) return false;
    targets.add(text.slice(start, end));
    at = end + 2;
  }
  // Behind the last one stands its blank and the brace.
  return targets.size === modulus && at === text.length && text.endsWith(' }');
}

/** Where the target that begins here ends; -1: there is none that kube-proxy writes. */
function endOfTarget(text: string, start: number): number {
  target.lastIndex = start;
  if (target.test(text)) return target.lastIndex;
  target6.lastIndex = start;
  const address = target6.exec(text)?.[1];
  return address !== undefined && canonicalAddress(address) === address ? target6.lastIndex : -1;
}
