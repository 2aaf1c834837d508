import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { SharedWork } from '../../../public/core.ts';
import { expectedFor, judgeNode, readComparedManifests } from '../../compareWithManifests.ts';
import { compareSurely } from '../../diffWithManifests.ts';
import { readNodeDump } from '../../dumps/readNodeDump.ts';
import { namesOfNodes } from '../../objects/namesOfNodes.ts';
import { factFiles } from '../../options/factOptions.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { nodeOfEntry, nodeOption } from '../entries/nodeOfEntry.ts';
import type { FleetCommand } from '../fleetCommand.ts';
import { reportCut } from '../reportCut.ts';
import { isOfOtherCluster } from './isOfOtherCluster.ts';
import type { FoundOnNode, NodeFinder } from './nodeFinder.ts';

type DiffCommand = Extract<FleetCommand, { readonly name: 'diff' }>['options'];

/** Compares nodes with manifests, as `diff -f` compares one. */
export async function judgeDiff(
  options: DiffCommand,
  { sharing, sound }: SharedWork,
  messages: Messages,
): Promise<NodeFinder> {
  const manifests = await readComparedManifests(options.filename, options, messages);
  const nodes = namesOfNodes(manifests.objects);
  const find = async (entry: FleetEntry, said: Messages): Promise<FoundOnNode> => {
    const { texts, live } = entry;
    if (live !== undefined && options.live !== undefined)
      return { node: live.node, report: await compareLive(live.node, options, messages, said) };
    const how = { ...options, facts: factFiles(options), isCompared: true, texts, sound };
    const dump = await readNodeDump([entry.given], how, said);
    const told = nodeOfEntry(entry, dump, nodes, options.nodeName);
    if (dump === undefined || said.hasErrors()) return { node: told, report: undefined };
    if (
      reportCut(dump, said.report) ||
      isOfOtherCluster({ dump, told, nodes, services: manifests.serviceNames }, said.report)
    )
      return { node: told, report: undefined };
    const target = { ...manifests.options, sharing, ...nodeOption(entry, told, nodes) };
    const expected = await expectedFor({ objects: manifests.objects, options: target }, dump, said.report);
    if (expected === undefined || said.hasErrors()) return { node: told, report: undefined };
    const { node: own } = expected.compiled.model;
    // Without a Node in the manifests, the model's name belongs to no node.
    const node = expected.isNodeUnknown || own.isNameless ? told : own.name;
    return { node, report: await judgeNode({ dump, expected, ...manifests }, options, said) };
  };
  return { find, sources: manifests.sources, scopes: manifests.scopes };
}

/** The node was read with the objects. `known`: what is said already. */
async function compareLive(node: string, options: DiffCommand, known: Messages, said: Messages) {
  const first = said.again();
  const before = new Set(known.diagnostics().map(textOf));
  const tell = (messages: Messages) => {
    for (const diagnostic of messages.diagnostics()) if (!before.has(textOf(diagnostic))) said.report(diagnostic);
  };
  try {
    const { report, messages } = await compareSurely([`node/${node}`], options.filename, { ...options, node }, first);
    tell(messages);
    return said.hasErrors() ? undefined : report;
  } catch (error) {
    // Why a node could not be read was said before.
    tell(first);
    throw error;
  }
}

function textOf({ code, message, at }: Diagnostic): string {
  return JSON.stringify([code, message, at]);
}
