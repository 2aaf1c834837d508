import { count } from '../../common/text/count.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { endText } from '../../walk/values/text.ts';
import type { Block } from '../migrate/block.ts';
import type { ChangeGroup } from '../migrate/changeGroups.ts';
import { groupBlocks } from '../migrate/groupBlocks.ts';
import { migrationText } from '../migrate/migrationText.ts';
import { proxyName } from '../migrate/proxyName.ts';
import type { ConversionCheck } from './checkConversion.ts';

/** The result of checking a conversion, for people. Shows `most` packets for each kind of difference. */
export function conversionText(check: ConversionCheck, most: number): string {
  const { from, to, comparison, known, besideOthers, unexplained } = check;
  const part = (title: string, groups: readonly ChangeGroup[]): readonly Block[] =>
    groups.length === 0
      ? []
      : [{ kind: 'heading', level: 2, text: title }, ...groups.flatMap((group) => groupBlocks(group, from, to, most))];
  const open = comparison.open.map(({ packet, entrance, name }) => ({
    text: `${name.service ?? 'no Service'}: from ${entrance} to ${endText(packet.destination, packet.destinationPort)}/${protocolName(packet.protocol)}`,
  }));
  return migrationText([
    { kind: 'heading', level: 1, text: `Check: ${proxyName(from)} to ${proxyName(to)}` },
    ...part('Not explained by mode or version', unexplained),
    ...part('Because of rules of other programs', besideOthers),
    ...part('What the modes and versions do otherwise', known),
    ...(open.length === 0
      ? []
      : [
          { kind: 'heading' as const, level: 2 as const, text: 'Nobody can tell' },
          { kind: 'list' as const, items: open.slice(0, mostOpen) },
        ]),
    { kind: 'paragraph', text: verdictText(check) },
  ]);
}

const mostOpen = 10;

function verdictText(check: ConversionCheck): string {
  const { comparison, known, besideOthers, unexplained } = check;
  const { classes, destinations, open, skipped } = comparison;
  const compared = `${count(classes, 'class', 'classes')} of packets to ${count(destinations, 'destination')} compared`;
  const differences = (groups: readonly ChangeGroup[]) =>
    groups.reduce((sum, { findings }) => sum + findings.length, 0);
  const [ours, others, expected] = [unexplained, besideOthers, known].map(differences);
  const parts = [
    ...(ours ? [`${count(ours, 'difference')} that nothing explains`] : []),
    ...(others ? [`${count(others, 'difference')} because of rules of other programs`] : []),
    ...(expected ? [`${count(expected, 'difference')} of modes or versions`] : []),
    ...(open.length > 0 ? [`${open.length} of which cannot be told`] : []),
    ...(known.some(({ kind }) => kind === 'source-ranges-one-side') ? ['source ranges hold on one side only'] : []),
    ...(skipped.length > 0 ? [`${skipped.join(' and ')} is on one side only`] : []),
  ];
  return `${compared}: ${parts.length === 0 ? 'the same for every packet' : parts.join(', ')}.`;
}
