import type { Word } from '../../../netfilter/iptables/ast.ts';
import { bareComment } from '../../../netfilter/iptables/print/builders.ts';
import { markForMasquerade } from '../builders.ts';
import { patternRules } from '../patterns/patternRules.ts';
import type { PatternWords, RulePattern } from '../patterns/rulePattern.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';

type Write = (words: PatternWords) => void;

/** An endpoint that calls itself needs a foreign source to get its answer (hairpin); then the DNAT. */
export function endpointPatterns(layout: ServiceLayout, sink: RuleSink): readonly [Write, Write] {
  const { protocol, affinitySeconds } = layout.plan;
  const hasComment = layout.dialect.endpointComment === 'servicePort' && !layout.dropsComments;
  const isSticky = affinitySeconds !== undefined;
  const first = (name: string): readonly Word[] => (hasComment ? [bareComment(name)] : []);
  const hairpin: RulePattern = ({ name, chain, ip }) => ({
    chain,
    words: [...first(name), { kind: 'source', address: layout.address(ip) }],
    target: markForMasquerade(layout.dialect),
  });
  const dnat: RulePattern = ({ name, chain, address }) => ({
    chain,
    words: [
      ...first(name),
      ...(isSticky ? [{ kind: 'recent', action: 'set', name: chain } as const] : []),
      { kind: 'transport', protocol },
      { kind: 'protocol', protocol },
    ],
    target: { kind: 'dnat', to: address },
  });
  return [
    patternRules(sink, `hairpin ${hasComment}`, hairpin),
    patternRules(sink, `dnat ${hasComment} ${isSticky} ${protocol}`, dnat),
  ];
}
