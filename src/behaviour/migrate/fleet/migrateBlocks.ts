import { count } from '../../../common/text/count.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import { countsLine, nodesText } from '../../../report/fleet/fleetWords.ts';
import type { Block } from '../block.ts';
import { changeTitle, mostServices, sendersText } from '../groupBlocks.ts';
import { heading, paragraph, stepBlocks } from '../migrationBlocks.ts';
import type { BriefKind, MigratedNode } from './migratedNode.ts';
import type {
  ChangeOnNodes,
  DependentOnNodes,
  KindsOnNodes,
  MigrateSummary,
  NeedOnNodes,
} from './summarizeMigrations.ts';

/** The report about many nodes: what is equal stands once, with the nodes; then each node in a line. */
export function migrateBlocks(summary: MigrateSummary, answers: readonly MigratedNode[]): readonly Block[] {
  const { kinds, groups, needs, dependents } = summary;
  const [only] = kinds;
  const { judged } = summary.nodes;
  return [
    heading(1, `kube-proxy: ${only && kinds.length === 1 ? wayText(only) : 'what changes on each node'}`),
    paragraph(countsLine(summary, countParts(summary))),
    ...(kinds.length > 1 ? [list(kinds.map((kind) => `${wayText(kind)}: ${nodesText(kind.nodes)}`))] : []),
    heading(2, '1. What changes, for whom, where'),
    ...changeBlocks(summary),
    heading(2, '2. What nodes need'),
    ...(needs.length === 0 ? [paragraph('Nothing that they do not have already.')] : [needList(needs, judged)]),
    heading(2, '3. Who else relies on the rules of kube-proxy'),
    ...dependentBlocks(dependents, kinds, judged),
    heading(2, '4. The switch, node by node'),
    ...kinds.flatMap((kind) => [...ofKind(kind, kinds), ...wayBlocks(kind, kind.steps)]),
    heading(2, '5. The way back'),
    ...kinds.flatMap((kind) => [...ofKind(kind, kinds), ...wayBlocks(kind, kind.back)]),
    heading(2, '6. Each node'),
    list(answers.map((answer) => `${nodeText(answer)}: ${verdictText(answer)}`)),
    ...(groups.length > 0 ? [paragraph(ofOneNode)] : []),
  ];
}

const ofOneNode = 'The same command with the dump of one node alone shows more packets of it (--limit).';

function list(texts: readonly string[]): Block {
  return { kind: 'list', items: texts.map((text) => ({ text })) };
}

function countParts({ nodes: { same, differ } }: MigrateSummary): readonly string[] {
  const changed = differ > 0 ? [`${differ} where something changes or nobody can tell`] : [];
  return [`${same} where nothing changes for anybody`, ...changed];
}

function kindText({ mode, version }: BriefKind): string {
  return `${mode} mode of ${version}`;
}

function wayText({ from, to }: Pick<KindsOnNodes, 'from' | 'to'>): string {
  return `${kindText(from)} to ${kindText(to)}`;
}

/** `6 nodes: n17, n29 and 4 more`; `all 50 nodes` if it is true of all that were judged. */
function whereText(nodes: readonly string[], judged: number): string {
  if (nodes.length === judged && judged > 1) return `all ${judged} nodes`;
  return nodes.length === 1 ? `${nodes[0]}` : `${nodes.length} nodes: ${nodesText(nodes)}`;
}

function changeBlocks({ groups, unknown, nodes }: MigrateSummary): readonly Block[] {
  const open = unknown.length === 0 ? [] : [paragraph(`Of some packets nobody can tell: ${nodesText(unknown)}.`)];
  if (groups.length === 0)
    return [paragraph(unknown.length === 0 ? 'Nothing changes for any packet.' : 'No difference was found.'), ...open];
  return [...groups.flatMap((group) => groupBlocks(group, nodes.judged)), ...open];
}

function groupBlocks(group: ChangeOnNodes, judged: number): readonly Block[] {
  const { says, advice, nodes, entrances, example, services } = group;
  const words = [...says, ...(advice === null ? [] : [advice])].join(' ');
  return [
    heading(3, changeTitle(group)),
    ...(words === '' ? [] : [paragraph(words)]),
    paragraph(`On ${whereText(nodes, judged)}. For packets from ${sendersText(entrances)}.`),
    ...serviceBlocks(services, nodes.length),
    ...(example.length === 0
      ? []
      : [paragraph(`Such a packet, on ${nodes[0]}:`), { kind: 'code' as const, lines: example }]),
  ];
}

function serviceBlocks(services: ChangeOnNodes['services'], all: number): readonly Block[] {
  const [first] = services;
  if (first === undefined) return [];
  if (services.length === 1 && first.nodes.length === all)
    return [paragraph(`Service ports: ${firstFew(first.services, mostServices)}.`)];
  const texts = services.slice(0, mostLists).map(({ services: own, nodes }) => {
    const where = nodes.length === all ? 'on all of them' : `on ${nodesText(nodes)}`;
    return `${firstFew(own, mostServices)}: ${where}`;
  });
  const left = services.slice(mostLists).reduce((sum, { services: own }) => sum + own.length, 0);
  return [
    paragraph('Service ports:'),
    list([...texts, ...(left > 0 ? [`${count(left, 'more Service port')}, on other nodes (-o json has all)`] : [])]),
  ];
}

/** Service ports with policy Local differ from node to node. */
const mostLists = 10;

function needList(needs: readonly NeedOnNodes[], judged: number): Block {
  const items = needs.map(({ says, check, nodes }) => ({
    text: nodes.length === judged ? says : `${says.replace(/\.$/, '')}. On ${whereText(nodes, judged)}.`,
    ...(check !== undefined && { code: check }),
  }));
  return { kind: 'list', items };
}

function dependentBlocks(
  dependents: readonly DependentOnNodes[],
  kinds: readonly KindsOnNodes[],
  judged: number,
): readonly Block[] {
  if (kinds.every(({ from, to }) => from.mode === to.mode))
    return [paragraph('The mode stays: its chains keep their names.')];
  if (dependents.length === 0) return [paragraph('Nobody, as far as the dumps show.')];
  const items = dependents.map(({ program, says, rules, nodes }) => {
    const others = rules.length > 1 ? ` One of ${rules.length} rules:` : '';
    const text = `${program === null ? '' : `${program}: `}${says}. On ${whereText(nodes, judged)}.${others}`;
    return { text, code: rules[0]?.rule ?? '' };
  });
  return [{ kind: 'list', items }];
}

function ofKind(kind: KindsOnNodes, kinds: readonly KindsOnNodes[]): readonly Block[] {
  return kinds.length > 1 ? [heading(3, `${wayText(kind)}: ${nodesText(kind.nodes)}`)] : [];
}

/** Some nodes may have been switched already. */
function wayBlocks(kind: KindsOnNodes, steps: KindsOnNodes['steps']): readonly Block[] {
  return kindText(kind.from) === kindText(kind.to)
    ? [paragraph('Nothing to do: they run it already.')]
    : stepBlocks(steps);
}

function nodeText({ node, given }: MigratedNode): string {
  return node === given ? node : `${node} (${given})`;
}

function verdictText({ migration, problems }: MigratedNode): string {
  if (migration === undefined) {
    const errors = problems.filter(({ severity }) => severity === 'error');
    return `not judged: ${errors.map(({ message, code }) => `${message} (${code})`).join('; ')}`;
  }
  const { changes, summary } = migration;
  const open = summary.unknown === 0 ? '' : `; of ${count(summary.unknown, 'class', 'classes')} nobody can tell`;
  const differ =
    changes.length === 0
      ? 'nothing changes'
      : `${count(summary.different, 'difference')} in ${count(changes.length, 'kind')}`;
  return `${wayText(migration)}: ${differ}${open}`;
}
