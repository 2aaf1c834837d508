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
  const { title, before, after, isNewlyOpen, says, advice, services, entrances, findings } = group;
  const head = isNewlyOpen ? `Newly open: ${title}` : capital(title);
  const who = `${findings.length} ${findings.length === 1 ? 'difference' : 'differences'}, for packets from ${entrances.map((kind) => (kind === 'node' ? 'the node' : kind)).join(', ')}.`;
  return [
    { kind: 'heading' as const, level: 3 as const, text: `${head}: ${before}, then ${after}` },
    paragraph([...says, ...(advice === undefined ? [] : [advice])].join(' ')),
    paragraph(`${who}${services.length === 0 ? '' : ` Service ports: ${firstFew(services, mostServices)}.`}`),
    ...samplesOf(findings, most).map((finding) => packetBlock(finding, from, to)),
  ].filter((block) => block.kind !== 'paragraph' || block.text !== '');
}

const mostServices = 10;

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

function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}
