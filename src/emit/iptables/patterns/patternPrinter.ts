import type { Family } from '../../../common/addresses/family.ts';
import { plainIpv4Number } from '../../../common/addresses/ip.ts';
import { patternTemplate, shareOf } from './patternTemplate.ts';
import type { PatternWords, RulePattern } from './rulePattern.ts';

/** Prints a pattern's rule; undefined where the words need the printer itself. */
export type PatternPrinter = (words: PatternWords) => string | undefined;

/**
 * Prints a pattern once and then only puts words in: a large cluster has hundreds of thousands of rules of three shapes.
 * Undefined: the printer does more than copy them.
 */
export function patternPrinter(
  make: RulePattern,
  spelling: 'restore' | 'save',
  family: Family,
  isPlain: (ip: string) => boolean = plainAddresses(spelling, family),
): PatternPrinter | undefined {
  const template = patternTemplate(make, spelling, family);
  if (template === undefined) return undefined;
  const { holes, texts } = template;
  const hasName = holes.includes('name');
  const hasAddress = holes.includes('ip') || holes.includes('address');
  let plain: string | undefined;
  return (words) => {
    if (hasName && words.name !== plain) {
      if (!isPlainName(words.name)) return undefined;
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

/** Tells names that every printer writes as they are. */
export function isPlainName(name: string): boolean {
  return plainName.test(name);
}

const plainName = /^[a-z0-9][a-z0-9-]*\/[a-z0-9-]+(?::[a-z0-9-]+)?$/;
const plainAddress = /^[0-9a-f.:]+$/;
