import { escapeText } from '../common/text/escapeText.ts';
import { protocolName } from '../trace/question/protocolName.ts';
import { endText } from '../walk/values/text.ts';
import type { BehaviourFinding } from './behaviourFinding.ts';
import { behaviourVerdict } from './behaviourVerdict.ts';
import type { BehaviourComparison } from './compareBehaviour.ts';
import { differenceKind } from './differenceKind.ts';
import { addressWords } from './outcome/addressWords.ts';
import type { Distribution } from './outcome/distribution.ts';
import { distributionLines } from './outcome/distributionText.ts';
import { traceArguments } from './traceArguments.ts';
import { traceQuestion } from './traceQuestion.ts';

export interface BehaviourNames {
  /** The names of the sides, and their arguments for `k8snet trace`. */
  readonly a: string;
  readonly b: string;
}

/** A comparison for a person: differences by kind, with one packet each; at the end what was compared. */
export function behaviourText(
  names: BehaviourNames,
  comparison: BehaviourComparison,
  { limit, isVerbose }: { readonly limit: number; readonly isVerbose: boolean },
): string {
  const { findings, open, unknown, assumed } = comparison;
  const lines = [`a: ${names.a}`, `b: ${names.b}`, ''];
  let shown = 0;
  for (const group of groupsOf(findings)) {
    const left = Math.min(limit - shown, isVerbose ? Number.POSITIVE_INFINITY : mostOfOneKind);
    if (left <= 0) break;
    for (const line of groupLines(group, left)) lines.push(line);
    lines.push('');
    shown += Math.min(left, group.findings.length);
  }
  if (findings.length > shown) lines.push(`${findings.length - shown} more of these kinds; -v shows all`, '');
  for (const { entrance, name, packet } of open.slice(0, limit)) {
    lines.push(
      `cannot tell: ${entrance} to ${name.service ?? addressWords[name.kind]} ${endText(packet.destination, packet.destinationPort)}/${protocolName(packet.protocol)}`,
    );
  }
  for (const { side, text, rule } of unknown) lines.push(`not understood (${side}): ${text} in ${rule}`);
  if (isVerbose) for (const text of assumed) lines.push(`assumed: ${text}`);
  if (lines.at(-1) !== '') lines.push('');
  lines.push(summaryOf(comparison));
  return `${lines.map((line) => escapeText(line)).join('\n')}\n`;
}

const mostOfOneKind = 3;

interface Group {
  readonly title: string;
  readonly findings: readonly BehaviourFinding[];
}

function groupsOf(findings: readonly BehaviourFinding[]): readonly Group[] {
  const groups = new Map<string, { title: string; findings: BehaviourFinding[] }>();
  for (const finding of findings) {
    const { where, a, b } = differenceKind(finding);
    const title = `${where}: ${a} in a, ${b} in b`;
    const group = groups.get(title);
    if (group === undefined) groups.set(title, { title, findings: [finding] });
    else group.findings.push(finding);
  }
  return [...groups.values()].sort((a, b) => b.findings.length - a.findings.length);
}

function groupLines({ title, findings }: Group, most: number): readonly string[] {
  const services = new Set(findings.flatMap(({ name }) => name.service ?? []));
  const entrances = new Set(findings.map(({ entrance }) => entrance));
  const of = services.size === 0 ? '' : `, ${services.size} Service ${services.size === 1 ? 'port' : 'ports'}`;
  const lines = [`${title} (${findings.length}${of}; from ${[...entrances].join(', ')})`];
  for (const finding of findings.slice(0, most)) {
    for (const line of findingLines(finding)) lines.push(`  ${line}`);
  }
  if (findings.length > most) lines.push(`  … ${findings.length - most} more`);
  return lines;
}

function findingLines(finding: BehaviourFinding): readonly string[] {
  const { entrance, name, packet, a, b, destination, protocols } = finding;
  const isV6 = packet.family === 'ipv6';
  const { from, to, proto } = traceQuestion(entrance, packet);
  const who =
    from === 'node' ? 'the node' : entrance === 'node' ? `the ${from.replace(':', ', port ')}` : `${entrance} ${from}`;
  const others = destination.use === 'other' ? ` (any other port; ${protocols.map(protocolName).join(', ')})` : '';
  const head = `${name.service === undefined ? '' : `${name.service}  `}${who} → ${to}/${proto}${others}`;
  const side = (letter: string, distribution: Distribution) =>
    distributionLines(distribution, isV6).map((line, at) => `  ${at === 0 ? `${letter}:` : '  '} ${line}`);
  const command = `  k8snet trace DUMP ${traceArguments(entrance, packet)}`;
  return [head, ...side('a', a), ...side('b', b), command];
}

function summaryOf(comparison: BehaviourComparison): string {
  const { findings, open, classes, destinations, families, skipped } = comparison;
  const left = skipped.length === 0 ? '' : `; ${skipped.join(' and ')} on one side only, not compared`;
  if (families.length === 0) return `nothing could be compared${left}`;
  const compared = `${classes} classes of packets to ${destinations} destinations compared (${families.join(' and ')})`;
  const verdict = {
    different: `${findings.length} differ`,
    unknown: 'no difference found',
    same: 'the same for every packet',
  }[behaviourVerdict(comparison)];
  const cannot = open.length === 0 ? '' : `; cannot tell about ${open.length}`;
  return `${compared}: ${verdict}${cannot}${left}`;
}
