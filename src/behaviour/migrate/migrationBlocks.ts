import { formatKubeVersion } from '../../dialect/version.ts';
import type { Block } from './block.ts';
import { groupBlocks } from './groupBlocks.ts';
import type { Migration } from './migration.ts';
import type { MigrationStep } from './migrationSteps.ts';
import { proxyName } from './proxyName.ts';

/** The report of a migration. Shows `most` packets for each kind of change. */
export function migrationBlocks(migration: Migration, most: number): readonly Block[] {
  const { from, to, services, node } = migration;
  return [
    heading(1, `kube-proxy: ${proxyName(from)} to ${proxyName(to)}`),
    paragraph(
      `For ${services} ${services === 1 ? 'Service' : 'Services'}, as the node ${node} treats packets: ${countText(migration)}`,
    ),
    heading(2, '1. What changes, for whom'),
    ...changeBlocks(migration, most),
    heading(2, '2. What it needs'),
    ...needBlocks(migration),
    heading(2, '3. Who else relies on the rules of kube-proxy'),
    ...dependentBlocks(migration),
    heading(2, '4. The switch, node by node'),
    ...stepBlocks(migration.steps),
    heading(2, '5. The way back'),
    ...stepBlocks(migration.back),
  ];
}

export function heading(level: 1 | 2 | 3, text: string): Block {
  return { kind: 'heading', level, text };
}

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

function countText({ comparison, groups }: Migration): string {
  const { classes, destinations, findings, open, skipped } = comparison;
  const compared = `${classes} classes of packets to ${destinations} destinations were compared`;
  const differ = findings.length === 0 ? 'all fare alike' : `${findings.length} differ, in ${groups.length} kinds`;
  const cannot = open.length === 0 ? '' : `; of ${open.length} nobody can tell`;
  const left = skipped.length === 0 ? '' : `; ${skipped.join(' and ')} is on one side only and was not compared`;
  return `${compared}, ${differ}${cannot}${left}.`;
}

function changeBlocks({ groups, comparison, from, to }: Migration, most: number): readonly Block[] {
  if (groups.length === 0) {
    return [paragraph(comparison.open.length === 0 ? 'Nothing changes for any packet.' : 'No difference was found.')];
  }
  const flags = [from, to].map(({ mode, version }) => `--mode ${mode} --kube-version ${formatKubeVersion(version)}`);
  return [
    paragraph(
      `Each packet can be followed in either: k8snet trace -f OBJECTS with ${flags.join(', or with ')}, and the options below it.`,
    ),
    ...groups.flatMap((group) => groupBlocks(group, from, to, most)),
  ];
}

function needBlocks({ needs }: Migration): readonly Block[] {
  if (needs.length === 0) return [paragraph('Nothing that the node does not have already.')];
  const items = needs.map(({ says, check }) => ({ text: says, ...(check !== undefined && { code: check }) }));
  return [{ kind: 'list', items }];
}

function dependentBlocks({ dependents, from, to }: Migration): readonly Block[] {
  if (from.mode === to.mode) return [paragraph('The mode stays: its chains keep their names.')];
  if (dependents === undefined) {
    return [
      paragraph(
        'Not known: give a dump of a node (iptables-save, nft list ruleset), and rules of others are looked at.',
      ),
    ];
  }
  if (dependents.length === 0) return [paragraph('Nobody, as far as the dump shows.')];
  const items = dependents.map(({ program, rule, says, file, line }) => ({
    text: `${program === undefined ? '' : `${program}: `}${says}${file === undefined ? '' : ` (${file}${line ? `:${line}` : ''})`}`,
    code: rule,
  }));
  return [{ kind: 'list', items }];
}

export function stepBlocks(steps: readonly MigrationStep[]): readonly Block[] {
  return steps.flatMap(({ says, commands }, at): readonly Block[] => [
    paragraph(`${at + 1}. ${says}`),
    { kind: 'code', lines: commands },
  ]);
}
