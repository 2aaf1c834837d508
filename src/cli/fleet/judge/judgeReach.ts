import { makeTable } from '../../../behaviour/reach/fleet/makeTable.ts';
import type { ReachedNode, ReachTable } from '../../../behaviour/reach/fleet/reachTable.ts';
import type { Reach, ReachRow } from '../../../behaviour/reach/reach.ts';
import { findReach } from '../../../behaviour/reach/reachFind.ts';
import type { Value } from '../../../common/ranges/valueRange.ts';
import { escapeJson } from '../../../common/text/escapeText.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { noSources } from '../../../load/noSources.ts';
import { addressValue } from '../../../netfilter/addressRanges.ts';
import type { SharedWork } from '../../../public/core.ts';
import type { NodeHead } from '../../../report/fleet/nodeVerdict.ts';
import { proxySeen } from '../../../seen/proxySeen.ts';
import { readWalkNode, type WalkNode } from '../../dumps/readWalkNode.ts';
import { namesOfNodes } from '../../objects/namesOfNodes.ts';
import { namesOfServices } from '../../objects/namesOfServices.ts';
import { readWalkManifests } from '../../objects/readWalkManifests.ts';
import { refuseUnknownService, servicesOfObjects } from '../../objects/refuseUnknownService.ts';
import { type AskedReach, absenceFor, readFinds, shownRows, walkReach } from '../../walkReach.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { nodeOfEntry, nodeOption } from '../entries/nodeOfEntry.ts';
import type { ReachFleetFlags } from '../fleetCommand.ts';
import type { FleetFlags } from '../fleetOptions.ts';
import { reportCut } from '../reportCut.ts';
import { hintedServices } from './hintedServices.ts';
import { isOfOtherCluster } from './isOfOtherCluster.ts';
import type { JudgedNode, NodeJudge } from './judgedNode.ts';
import { localAddresses } from './localAddresses.ts';

/** Makes the tables of nodes as `reach` makes one, in words that can be compared. */
export async function judgeReach(
  options: ReachFleetFlags & FleetFlags,
  { sharing, sound }: SharedWork,
  messages: Messages,
): Promise<NodeJudge> {
  const finds = readFinds(options.find ?? []);
  if (typeof finds === 'string') throw new Error(finds);
  const asked: AskedReach = { question: options.question, finds, entrances: options.entrance };
  const manifests = await readWalkManifests(options, messages);
  const shared = manifests && { ...manifests, options: { ...manifests.options, sharing } };
  const nodes = namesOfNodes(manifests?.objects ?? []);
  const services = namesOfServices(manifests?.objects ?? []);
  const hinted = hintedServices(manifests?.objects ?? []);
  const judge = async (entry: FleetEntry, said: Messages): Promise<JudgedNode> => {
    const byPath = nodeOfEntry(entry, undefined, nodes, options.nodeName);
    const flags = { ...options, ...nodeOption(entry, byPath, nodes) };
    const reading = { manifests: shared, texts: entry.texts, sound };
    const read = await readWalkNode([entry.given], flags, said, false, reading);
    if (read === undefined) return { node: byPath, verdict: undefined };
    const { node: dump } = read;
    const node = nodeOfEntry(entry, dump, nodes, options.nodeName);
    if (reportCut(dump, said.report)) return { node, verdict: undefined };
    if (manifests && options.live === undefined && isOfOtherCluster({ dump, told: node, nodes, services }, said.report))
      return { node, verdict: undefined };
    const absence = absenceFor(read, asked);
    if (absence !== undefined) {
      said.report(absence);
      return { node, verdict: undefined };
    }
    const lacksService = isUnknownHere(read, asked, said);
    const reached = await walkReach(read, asked);
    return {
      node,
      verdict: () => verdictOf(tableOf(reached, read, { ...asked, lacksService, hinted }), reached, options),
    };
  };
  return { judge, sources: manifests?.sources ?? noSources };
}

/** A Service that one node lacks is what is looked for; whether any node has it is known in the end. */
function isUnknownHere({ node, objects }: WalkNode, { question: { service } }: AskedReach, said: Messages): boolean {
  if (service === undefined) return false;
  let isUnknown = false;
  const remark = (problem: Diagnostic) => {
    isUnknown = true;
    said.report({ ...problem, severity: 'note' });
  };
  refuseUnknownService(service, { ...servicesOfObjects(objects), dumps: [node] }, remark, '');
  return isUnknown;
}

function tableOf(
  reached: Reach,
  read: WalkNode,
  { lacksService, hinted, ...asked }: AskedReach & Pick<ReachTable, 'lacksService' | 'hinted'>,
): ReachTable {
  const local = localAddresses(read);
  return makeTable(reached, {
    rows: asked.finds.length > 0 ? foundRows(reached, asked) : shownRows(reached, asked),
    shows: asked.finds.length > 0 ? 'found' : 'services',
    isOfAddress: asked.question.to !== undefined,
    lacksService,
    hinted,
    mode: proxySeen(read.node).mode,
    isLocal: local && ((address) => local.has(address)),
    hosts: hostsOf(read),
  });
}

function hostsOf({ node, objects }: WalkNode): ReadonlySet<Value> {
  const all = [...node.network.hosts, ...(objects?.network.hosts ?? [])];
  return new Set(all.flatMap(({ ips }) => ips.flatMap((ip) => addressValue(ip) ?? [])));
}

/** Each row with the classes that were looked for. */
function foundRows(reached: Reach, { finds }: AskedReach): readonly ReachRow[] {
  const rows = new Map<ReachRow, ReachRow['classes'][number][]>();
  for (const { row, found } of findReach(reached, finds)) rows.set(row, [...(rows.get(row) ?? []), found]);
  return [...rows].map(([row, classes]) => ({ ...row, classes }));
}

function verdictOf(
  table: ReachTable,
  { otherPolicies = [] }: Reach,
  { output }: ReachFleetFlags,
): Omit<ReachedNode, keyof NodeHead> {
  const ended = table.shows === 'found' && table.rows.length === 0 ? exitCodes.differs : exitCodes.ok;
  return {
    state: 'shown',
    code: table.lacksService ? exitCodes.badInput : otherPolicies.length > 0 ? exitCodes.undecided : ended,
    body: output === 'json' ? escapeJson(JSON.stringify(table)) : '',
    table,
  };
}
