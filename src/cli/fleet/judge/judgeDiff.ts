import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import type { SharedWork } from '../../../public/core.ts';
import { proxySeen } from '../../../seen/proxySeen.ts';
import { type ComparedManifests, expectedFor, judgeNode, readComparedManifests } from '../../compareWithManifests.ts';
import { readNodeDump } from '../../dumps/readNodeDump.ts';
import { factFiles } from '../../options/factOptions.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { nodeOfEntry } from '../entries/nodeOfEntry.ts';
import type { FleetCommand } from '../fleetCommand.ts';
import { reportCut } from '../reportCut.ts';
import type { JudgedNode, NodeJudge } from './judgedNode.ts';

type DiffCommand = Extract<FleetCommand, { readonly name: 'diff' }>['options'];

/** Compares nodes with manifests, as `diff -f` compares one. */
export async function judgeDiff(
  options: DiffCommand,
  { sharing, sound }: SharedWork,
  messages: Messages,
): Promise<NodeJudge> {
  const manifests = await readComparedManifests(options.filename, options, messages);
  const nodes = new Set(manifests.objects.flatMap(nodeName));
  const judge = async (entry: FleetEntry, said: Messages): Promise<JudgedNode> => {
    const { texts } = entry;
    const how = { ...options, facts: factFiles(options), isCompared: true, texts, sound };
    const dump = await readNodeDump([entry.given], how, said);
    const told = nodeOfEntry(entry, dump, nodes, options.nodeName);
    if (dump === undefined || said.hasErrors()) return { node: told, report: undefined };
    if (reportCut(dump, said.report) || isOfOtherCluster({ dump, told, nodes, manifests }, said.report))
      return { node: told, report: undefined };
    const target = { ...manifests.options, sharing, ...(told !== undefined && nodes.has(told) && { node: told }) };
    const expected = await expectedFor({ objects: manifests.objects, options: target }, dump, said.report);
    if (expected === undefined || said.hasErrors()) return { node: told, report: undefined };
    const { node: own } = expected.compiled.model;
    // Without a Node in the manifests, the model's name belongs to no node.
    const node = expected.isNodeUnknown || own.isNameless ? told : own.name;
    return { node, report: await judgeNode({ dump, expected, ...manifests }, options, said) };
  };
  return { judge, sources: manifests.sources, scopes: manifests.scopes };
}

function nodeName({ kind, value }: ComparedManifests['objects'][number]): readonly string[] {
  const { name } = (value.metadata ?? {}) as { readonly name?: unknown };
  return kind === 'Node' && typeof name === 'string' ? [name.toLowerCase()] : [];
}

interface Compared {
  readonly dump: NodeRules;
  readonly told: string | undefined;
  readonly nodes: ReadonlySet<string>;
  readonly manifests: Pick<ComparedManifests, 'serviceNames'>;
}

/** Findings for a thousand missing Services would say the same in more words. */
function isOfOtherCluster({ dump, told, nodes, manifests }: Compared, report: Report): boolean {
  const name = dump.network.node?.toLowerCase();
  const refuse = (message: string) =>
    report({ code: 'other-cluster', severity: 'error', message, at: [], hint: otherClusterHint });
  if (nodes.size > 0 && name !== undefined && !nodes.has(name)) {
    refuse(`it is of node ${name}, as its facts say, and the manifests do not have that node`);
    return true;
  }
  if (nodes.size > 0 && told !== undefined && !nodes.has(told)) {
    refuse(`it is of node ${told}, by --node-name, and the manifests do not have that node`);
    return true;
  }
  const given = new Set(manifests.serviceNames.filter(isOwn));
  const seen = [...proxySeen(dump).names].filter(isOwn);
  if (given.size === 0 || seen.length === 0 || seen.some((service) => given.has(service))) return false;
  refuse(
    `it has rules of ${seen.slice(0, 3).join(', ')}${seen.length > 3 ? ', …' : ''} and none of the Services in the manifests`,
  );
  return true;
}

const otherClusterHint = 'leave it out, or give manifests of its cluster, read at the time of the dump';

/** What every cluster has means nothing. */
function isOwn(service: string): boolean {
  return service !== 'default/kubernetes' && !service.startsWith('kube-system/');
}
