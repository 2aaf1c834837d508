import type { Family } from '../../common/family.ts';
import { plainIpv4Number } from '../../common/ip.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import { canonicalProbability } from '../../netfilter/iptables/probability.ts';

/** What the rules of endpoints differ in. */
export interface PatternWords {
  /** Of the Service port. */
  readonly name: string;
  /** That the rule stands in. */
  readonly chain: string;
  /** That it leads to, if it does. */
  readonly target: string;
  readonly ip: string;
  /** `ip:port`. */
  readonly address: string;
  /** The share of traffic, as kube-proxy writes it. */
  readonly share: string;
}

/** Makes the rule of some words; all else in it is the same for one pattern. */
export type RulePattern = (words: PatternWords) => Rule;

/** Prints a pattern's rule; undefined where the words need the printer itself. */
export type PatternPrinter = (words: PatternWords) => string | undefined;

/**
 * Prints a pattern once and then only puts words in: a large cluster has hundreds of thousands of rules of three shapes.
 * The rule of two sets of sample words shows where words go; if the printer does more than copy them, undefined.
 */
export function patternPrinter(
  make: RulePattern,
  spelling: 'restore' | 'save',
  family: Family,
  isPlain: (ip: string) => boolean = plainAddresses(spelling, family),
): PatternPrinter | undefined {
  const first = cut(printRule(make(samples[family][0]), spelling, family), spokenOf(samples[family][0], spelling));
  const second = cut(printRule(make(samples[family][1]), spelling, family), spokenOf(samples[family][1], spelling));
  const isSame = first.holes.join() === second.holes.join() && first.texts.join('\0') === second.texts.join('\0');
  if (!isSame) return undefined;
  const { holes, texts } = first;
  const hasName = holes.includes('name');
  const hasAddress = holes.includes('ip') || holes.includes('address');
  let plain: string | undefined;
  return (words) => {
    if (hasName && words.name !== plain) {
      if (!plainName.test(words.name)) return undefined;
      plain = words.name;
    }
    if (hasAddress && !isPlain(words.ip)) return undefined;
    let text = texts[0] as string;
    for (let at = 0; at < holes.length; at += 1) {
      const hole = holes[at] as keyof PatternWords;
      text += (hole === 'share' ? shareOf(words, spelling) : words[hole]) + (texts[at + 1] as string);
    }
    return text;
  };
}

/**
 * Tells addresses that the printer writes as they are, like those of the samples. Rules of one endpoint follow one another: the
 * last address is remembered.
 */
export function plainAddresses(spelling: 'restore' | 'save', family: Family): (ip: string) => boolean {
  let plain: string | undefined;
  return (ip) => {
    if (ip === plain) return true;
    // iptables-save spells addresses in its own way; of IPv4 there is but one.
    const isPlain = spelling === 'restore' ? plainAddress.test(ip) : family === 'ipv4' && plainIpv4Number(ip) >= 0;
    if (isPlain) plain = ip;
    return isPlain;
  };
}

const samples: Readonly<Record<Family, readonly [PatternWords, PatternWords]>> = {
  ipv4: [
    {
      name: 'sample-a/one:x',
      chain: 'KUBE-SEP-A',
      target: 'KUBE-SVL-CC',
      ip: '192.0.2.11',
      address: '198.51.100.12:60001',
      share: '0.2000000000',
    },
    {
      name: 'b-sample/two:yy',
      chain: 'KUBE-SEP-B2',
      target: 'KUBE-SVC-D',
      ip: '203.0.113.7',
      address: '192.0.2.128:1',
      share: '0.3333333333',
    },
  ],
  ipv6: [
    {
      name: 'sample-a/one:x',
      chain: 'KUBE-SEP-A',
      target: 'KUBE-SVL-CC',
      ip: '2001:db8::11',
      address: '[2001:db8:a::1]:60001',
      share: '0.2000000000',
    },
    {
      name: 'b-sample/two:yy',
      chain: 'KUBE-SEP-B2',
      target: 'KUBE-SVC-D',
      ip: 'fd00:77::7',
      address: '[fd00:88::8]:1',
      share: '0.3333333333',
    },
  ],
};

function spokenOf(words: PatternWords, spelling: 'restore' | 'save'): PatternWords {
  return { ...words, share: shareOf(words, spelling) };
}

function shareOf({ share }: PatternWords, spelling: 'restore' | 'save'): string {
  return spelling === 'save' ? canonicalProbability(share) : share;
}

/** Letters that no printer quotes. */
const plainName = /^[a-z0-9][a-z0-9-]*\/[a-z0-9-]+(?::[a-z0-9-]+)?$/;
const plainAddress = /^[0-9a-f.:]+$/;

interface Cut {
  readonly texts: readonly string[];
  readonly holes: readonly (keyof PatternWords)[];
}

/** A printed sample, cut where its words stand. */
function cut(text: string, words: PatternWords): Cut {
  const texts: string[] = [];
  const holes: (keyof PatternWords)[] = [];
  let from = 0;
  for (;;) {
    let at = -1;
    let hole: keyof PatternWords | undefined;
    for (const name of ['name', 'chain', 'target', 'address', 'ip', 'share'] as const) {
      const found = text.indexOf(words[name], from);
      if (found !== -1 && (at === -1 || found < at)) [at, hole] = [found, name];
    }
    if (hole === undefined) break;
    texts.push(text.slice(from, at));
    holes.push(hole);
    from = at + words[hole].length;
  }
  return { texts: [...texts, text.slice(from)], holes };
}
