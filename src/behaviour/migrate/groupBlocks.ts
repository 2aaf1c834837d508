import { firstFew } from '../../common/text/firstFew.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import { distributionLines } from '../outcome/distributionText.ts';
import { traceArguments } from '../traceArguments.ts';
import type { Block } from './block.ts';
import type { ChangeGroup } from './changeGroups.ts';
import type { ProxyKind } from './proxyKind.ts';

/** A kind of change with its packets, of which `most` are shown. */
export function groupBlocks(group: ChangeGroup, from: ProxyKind, to: ProxyKind, most: number): readonly Block[] {
  const { says, advice, services, entrances, findings } = group;
  const who = `${findings.length} ${findings.length === 1 ? 'difference' : 'differences'}, for packets from ${sendersText(entrances)}.`;
  return [
    { kind: 'heading' as const, level: 3 as const, text: changeTitle(group) },
    paragraph([...says, ...(advice === undefined ? [] : [advice])].join(' ')),
    paragraph(`${who}${services.length === 0 ? '' : ` Service ports: ${firstFew(services, mostServices)}.`}`),
    ...samplesOf(findings, most).map((finding) => ({ kind: 'code' as const, lines: packetLines(finding, from, to) })),
  ].filter((block) => block.kind !== 'paragraph' || block.text !== '');
}

export const mostServices = 10;

export function changeTitle({
  title,
  before,
  after,
  isNewlyOpen,
}: Pick<ChangeGroup, 'title' | 'before' | 'after' | 'isNewlyOpen'>): string {
  return `${isNewlyOpen ? `Newly open: ${title}` : capital(title)}: ${before}, then ${after}`;
}

export function sendersText(entrances: readonly string[]): string {
  return entrances.map((kind) => (kind === 'node' ? 'the node' : kind)).join(', ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Other Services and other senders come first: the examples should say as much as possible. */
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

/** A packet, what it meets before and after, and how to trace it. */
export function packetLines(finding: BehaviourFinding, from: ProxyKind, to: ProxyKind): readonly string[] {
  const { entrance, packet, name, a, b, protocols, destination } = finding;
  const isV6 = packet.family === 'ipv6';
  const labels =
    from.mode === to.mode ? [formatKubeVersion(from.version), formatKubeVersion(to.version)] : [from.mode, to.mode];
  const width = Math.max(...labels.map(({ length }) => length)) + 2;
  const side = (label: string, lines: readonly string[]) =>
    lines.map((line, at) => `  ${(at === 0 ? `${label}:` : '').padEnd(width)}${line}`);
  const others = destination.use === 'other' ? `  any other port; ${protocols.map(protocolName).join(', ')}` : '';
  return [
    `${name.service === undefined ? '' : `${name.service}  `}from ${entrance === 'node' ? 'the node' : entrance}${others}`,
    ...side(labels[0] ?? '', distributionLines(a, isV6)),
    ...side(labels[1] ?? '', distributionLines(b, isV6)),
    `  ${traceArguments(entrance, packet)}`,
  ];
}

function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}
