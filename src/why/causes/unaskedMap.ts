import { commands } from '../../problems/catalogue/commands.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { addressText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import { fact } from '../evidence.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** nftables mode: a map leads to the Service, and no rule looks into it. */
export function unaskedMap(question: WhyQuestion): CauseDraft | undefined {
  const { input, name } = question;
  const { packet } = question.result;
  const ends = [addressText(packet.destination), protocolName(packet.protocol), `${packet.destinationPort}`];
  for (const { sets, isPart } of input.tables) {
    for (const { name: map, elements } of sets.values()) {
      const element = elements.find(
        ({ key, verdict }) =>
          verdict !== undefined && key.length > 1 && key.join(' ') === ends.slice(3 - key.length).join(' '),
      );
      if (element === undefined || question.catalog.setUses.has(map)) continue;
      const evidence = [fact(`element of ${map}: ${element.key.join(' . ')}`)];
      if (isPart)
        return {
          code: 'not-shown',
          what: `The map ${map} has ${name}, and the dump does not show the rules that look into it: what happens to the packet is unknown.`,
          evidence,
          fix: commands.wholeDump,
          isUnknown: true,
        };
      return {
        code: 'hooks-missing',
        what: `The map ${map} has ${name}, but no rule looks into it.`,
        evidence,
        fix: commands.restart,
      };
    }
  }
  return undefined;
}
