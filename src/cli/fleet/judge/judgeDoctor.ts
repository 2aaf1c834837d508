import { noSources } from '../../../load/noSources.ts';
import { diagnose, type SharedWork } from '../../../public/core.ts';
import { orThrow } from '../../../public/result.ts';
import { withNodeName } from '../../../report/withNodeName.ts';
import { readWalkNode } from '../../dumps/readWalkNode.ts';
import { namesOfNodes } from '../../objects/namesOfNodes.ts';
import { readWalkManifests } from '../../objects/readWalkManifests.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { nodeOfEntry, nodeOption } from '../entries/nodeOfEntry.ts';
import type { DoctorFlags } from '../fleetCommand.ts';
import type { FleetFlags } from '../fleetOptions.ts';
import { reportCut } from '../reportCut.ts';
import type { FoundOnNode, NodeFinder } from './nodeFinder.ts';

/** Judges nodes as `doctor` judges one. */
export async function judgeDoctor(
  options: DoctorFlags & FleetFlags,
  { sharing, sound }: SharedWork,
  messages: Messages,
): Promise<NodeFinder> {
  const manifests = await readWalkManifests(options, messages);
  const shared = manifests && { ...manifests, options: { ...manifests.options, sharing } };
  const nodes = namesOfNodes(manifests?.objects ?? []);
  const find = async (entry: FleetEntry, own: Messages): Promise<FoundOnNode> => {
    const told = nodeOfEntry(entry, undefined, nodes, options.nodeName);
    const flags = { ...options, ...nodeOption(entry, told, nodes) };
    const reading = { manifests: shared, texts: entry.texts, sound };
    const read = await readWalkNode([entry.given], flags, own, false, reading);
    if (read === undefined) return { node: told, report: undefined };
    const node = nodeOfEntry(entry, read.node, nodes, options.nodeName);
    if (reportCut(read.node, own.report)) return { node, report: undefined };
    const { objects, routeFindings: further } = read;
    const report = await orThrow(diagnose(read.node, { objects, further }));
    return { node, report: report && withNodeName(report, flags.node) };
  };
  return { find, sources: manifests?.sources ?? noSources, scopes: [] };
}
