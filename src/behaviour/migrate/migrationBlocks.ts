import { formatKubeVersion } from '../../dialect/version.ts';
import { protocolName } from '../../trace/tracePacket.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import { distributionLines } from '../distributionText.ts';
import { traceArguments } from '../traceArguments.ts';
import type { ChangeGroup } from './changeGroups.ts';
import type { Migration, ProxyKind } from './migration.ts';
import type { MigrationStep } from './migrationSteps.ts';

/** A report as its parts, before it is spelled. Texts are as they came: printers escape them. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly { readonly text: string; readonly code?: string }[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] };

/** The report of a migration. Of each kind of change `most` packets are shown. */
export function migrationBlocks(migration: Migration, most: number): readonly Block[] {
  const { from, to, services, node } = migration;
  return [
    heading(1, `kube-proxy: ${nameOf(from)} to ${nameOf(to)}`),
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

function heading(level: 1 | 2 | 3, text: string): Block {
  return { kind: 'heading', level, text };
}

function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

export function nameOf({ mode, version }: ProxyKind): string {
  return `${mode} mode of ${formatKubeVersion(version)}`;
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

function groupBlocks(group: ChangeGroup, from: ProxyKind, to: ProxyKind, most: number): readonly Block[] {
  const { title, before, after, says, advice, services, entrances, findings } = group;
  const who = `${findings.length} ${findings.length === 1 ? 'difference' : 'differences'}, for packets from ${entrances.map((kind) => (kind === 'node' ? 'the node' : kind)).join(', ')}.`;
  const named = services.slice(0, mostServices).join(', ');
  const more = services.length > mostServices ? ` and ${services.length - mostServices} more` : '';
  return [
    heading(3, `${capital(title)}: ${before}, then ${after}`),
    paragraph([...says, ...(advice === undefined ? [] : [advice])].join(' ')),
    paragraph(`${who}${services.length === 0 ? '' : ` Service ports: ${named}${more}.`}`),
    ...samplesOf(findings, most).map((finding) => packetBlock(finding, from, to)),
  ].filter((block) => block.kind !== 'paragraph' || block.text !== '');
}

const mostServices = 10;

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Of other Services and other senders first: what is shown should say as much as it can. */
function samplesOf(findings: readonly BehaviourFinding[], most: number): readonly BehaviourFinding[] {
  const seen = new Set<string>();
  const fresh: BehaviourFinding[] = [];
  const others: BehaviourFinding[] = [];
  for (const finding of findings) {
    const { entrance, name } = finding;
    const isFresh = !seen.has(entrance) || (name.service !== undefined && !seen.has(name.service));
    seen.add(entrance);
    if (name.service !== undefined) seen.add(name.service);
    (isFresh ? fresh : others).push(finding);
  }
  return [...fresh, ...others].slice(0, most);
}

function packetBlock(finding: BehaviourFinding, from: ProxyKind, to: ProxyKind): Block {
  const { entrance, packet, name, a, b, protocols, destination } = finding;
  const isV6 = packet.family === 'ipv6';
  const labels =
    from.mode === to.mode ? [formatKubeVersion(from.version), formatKubeVersion(to.version)] : [from.mode, to.mode];
  const width = Math.max(...labels.map(({ length }) => length)) + 2;
  const side = (label: string, lines: readonly string[]) =>
    lines.map((line, at) => `  ${(at === 0 ? `${label}:` : '').padEnd(width)}${line}`);
  const others = destination.use === 'other' ? `  any other port; ${protocols.map(protocolName).join(', ')}` : '';
  return {
    kind: 'code',
    lines: [
      `${name.service === undefined ? '' : `${name.service}  `}from ${entrance === 'node' ? 'the node' : entrance}${others}`,
      ...side(labels[0] ?? '', distributionLines(a, isV6)),
      ...side(labels[1] ?? '', distributionLines(b, isV6)),
      `  ${traceArguments(entrance, packet)}`,
    ],
  };
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

function stepBlocks(steps: readonly MigrationStep[]): readonly Block[] {
  return steps.flatMap(({ says, commands }, at): readonly Block[] => [
    paragraph(`${at + 1}. ${says}`),
    { kind: 'code', lines: commands },
  ]);
}
