import type { CauseDraft } from '../cause.ts';
import { fact, ruleEvidence } from '../evidence.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** Rules on the way use a set that the dump does not have. */
export function withoutSet(question: WhyQuestion): CauseDraft | undefined {
  const { result, input } = question;
  const asked = [...result.notes.unknown.values()].flatMap(({ rule }) => rule ?? []);
  if (asked.length === 0) return undefined;
  for (const [set, uses] of question.catalog.setUses) {
    const rule = input.ipsets.has(set) ? undefined : asked.find((one) => uses.some(({ text }) => text === one.text));
    if (rule === undefined || rule.chain.table.sets.has(set)) continue;
    return {
      code: 'hooks-missing',
      what: `The rules ask for the set ${set}, which is not there: without it, what happens to the packet is unknown.`,
      evidence: [ruleEvidence(rule)],
      fix: 'Pass the output of `ipset save` beside the rules.',
      isUnknown: true,
    };
  }
  return undefined;
}

/** IPVS mode: the packet gets to IPVS, and what that does was not given, or for another Service only. */
export function withoutServers({ name, input }: WhyQuestion): CauseDraft {
  const shown =
    input.ipvs.length === 0 ? 'no virtual server is shown' : 'only virtual servers of one address or port are shown';
  return {
    code: 'not-shown',
    what: `The packet goes to IPVS, and its virtual servers were not given: what happens to ${name} there is unknown.`,
    evidence: [fact(shown)],
    fix: 'Give what `ipvsadm -Sn` prints on the node beside the rules.',
    isUnknown: true,
  };
}
