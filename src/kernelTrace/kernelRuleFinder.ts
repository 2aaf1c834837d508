import { canonicalNftRule } from '../netfilter/nft/canonical/canonicalNftRule.ts';
import { readRule } from '../netfilter/nft/read/readRule.ts';
import { writeRule } from '../netfilter/nft/write/writeRule.ts';
import type { WalkChain, WalkRule } from '../walk/input/walkInput.ts';
import type { KernelStep } from './readKernelTrace.ts';

/** Finds the rule of a dump that a line of the kernel's trace is of. */
export interface KernelRuleFinder {
  readonly find: (step: KernelStep, chain: WalkChain) => WalkRule | undefined;
}

/** By number, by handle where the dump shows handles, by text. A rule that stands twice is found as its first. */
export function kernelRuleFinder(): KernelRuleFinder {
  const known = new Map<WalkChain, ChainRules>();
  const rulesOf = (chain: WalkChain): ChainRules => {
    const before = known.get(chain);
    if (before !== undefined) return before;
    const rules = chain.rules();
    const byHandle = new Map<number, WalkRule>();
    const byText = new Map<string, WalkRule>();
    for (const rule of rules) {
      const handle = /# handle (\d+)$/.exec(rule.text)?.[1];
      if (handle !== undefined) byHandle.set(Number(handle), rule);
      const text = comparable(rule.text, chain.table.family);
      if (!byText.has(text)) byText.set(text, rule);
    }
    const made = { rules, byHandle, byText };
    known.set(chain, made);
    return made;
  };
  return {
    find: ({ number, handle, text }, chain) => {
      const { rules, byHandle, byText } = rulesOf(chain);
      if (number !== undefined) return rules[number - 1];
      const held = handle === undefined ? undefined : byHandle.get(handle);
      return held ?? (text === undefined ? undefined : byText.get(comparable(text, chain.table.family)));
    },
  };
}

interface ChainRules {
  readonly rules: readonly WalkRule[];
  readonly byHandle: ReadonlyMap<number, WalkRule>;
  readonly byText: ReadonlyMap<string, WalkRule>;
}

/** Without what differs between two listings of one rule: counts, handles, comments, numbers for names. */
function comparable(text: string, family: string): string {
  const bare = text.trim().replace(/^\[\d+:\d+\] /, '');
  if (bare.startsWith('-A ')) return bare.replace(/\s+/g, ' ');
  const { comment: _, ...rule } = canonicalNftRule(readRule(numbersNamed(bare), true), family);
  return writeRule(rule, 'transaction').replace(/counter packets \d+ bytes \d+/, 'counter');
}

/** `nft -nn` writes states and protocols as numbers. */
function numbersNamed(text: string): string {
  return text
    .replace(/\bct state 0x([0-9a-f]+)(?= |$)/g, (whole, bits) => `ct state ${states.get(bits) ?? whole.slice(9)}`)
    .replace(/\bmeta l4proto (6|17|132)\b/g, (_, number) => `meta l4proto ${l4.get(number)}`);
}

const states: ReadonlyMap<string, string> = new Map([
  ['1', 'invalid'],
  ['2', 'established'],
  ['4', 'related'],
  ['6', 'established,related'],
  ['8', 'new'],
  ['40', 'untracked'],
]);

const l4: ReadonlyMap<string, string> = new Map([
  ['6', 'tcp'],
  ['17', 'udp'],
  ['132', 'sctp'],
]);
