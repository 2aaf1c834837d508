import type { Family } from '../../../common/addresses/family.ts';
import { printRule } from '../../../netfilter/iptables/print/printRule.ts';
import type { RuleTemplate } from '../../../netfilter/iptables/print/ruleTemplate.ts';
import { canonicalProbability } from '../../../netfilter/iptables/values/probability.ts';
import type { PatternWords, RulePattern } from './rulePattern.ts';

type PatternTemplate = RuleTemplate<keyof PatternWords>;

/**
 * The line that a pattern's rules have in common. The rule for two sets of sample words shows where words go;
 * undefined: the printer does more than copy them.
 */
export function patternTemplate(
  make: RulePattern,
  spelling: 'restore' | 'save',
  family: Family,
): PatternTemplate | undefined {
  const cutOf = (words: PatternWords) => cut(printRule(make(words), spelling, family), spokenOf(words, spelling));
  const [first, second] = [cutOf(samples[family][0]), cutOf(samples[family][1])];
  const isSame = first.holes.join() === second.holes.join() && first.texts.join('\0') === second.texts.join('\0');
  return isSame ? first : undefined;
}

/** A share of traffic as it is printed. */
export function shareOf({ share }: PatternWords, spelling: 'restore' | 'save'): string {
  return spelling === 'save' ? canonicalProbability(share) : share;
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

/** A printed sample, cut where its words stand. */
function cut(text: string, words: PatternWords): PatternTemplate {
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
