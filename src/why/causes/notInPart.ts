import { commands } from '../../problems/catalogue/commands.ts';
import type { WalkInput, WalkTable } from '../../walk/input/walkInput.ts';
import type { CauseDraft } from '../cause.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/**
 * No rule has the address, and only a part of the rules is shown, as of a dump that was cut, or of one table alone: the rule may be
 * in the rest. Undefined: all are shown, or objects say that no Service has the address.
 */
export function notInPart(question: WhyQuestion): CauseDraft | undefined {
  const { known, name, input } = question;
  if (known.hasObjects && known.destination === undefined) return undefined;
  const shown = shownPart(input, name);
  if (shown === undefined) return undefined;
  return {
    code: 'not-shown',
    what: `The dump ${shown}: whether the node has one is unknown.`,
    evidence: [],
    fix: commands.wholeDump,
    isUnknown: true,
  };
}

/** What the dump shows of the rules that translate: a part, or nothing, although the node may have some. */
function shownPart({ tables, isCutBefore }: WalkInput, name: string): string | undefined {
  const translating = tables.filter(({ tool, name: table }) => table === (tool === 'iptables' ? 'nat' : 'kube-proxy'));
  if (translating.length > 0) {
    const part = translating.find(isCut);
    return part && `shows a part of the table ${part.name}, and no rule for ${name} in it`;
  }
  const last = tables.find(isCut);
  if (last !== undefined) return `ends within the table ${last.name}, and shows no rules that translate`;
  if (isCutBefore) return 'ends within a table of the other family, and shows no rules of this one that translate';
  const [only, ...more] = tables;
  // `iptables-save -t filter`: wherever kube-proxy filters, it translates too.
  const isFilterAlone = more.length === 0 && only?.name === 'filter' && only.chains.has('KUBE-FORWARD');
  return isFilterAlone ? 'has no table nat, and so no rules that translate' : undefined;
}

function isCut({ isPart, isWritten }: WalkTable): boolean {
  return isPart === true && isWritten !== true;
}
