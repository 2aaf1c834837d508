import { briefMigration, type MigratedNode } from '../../../behaviour/migrate/fleet/migratedNode.ts';
import { packetLines } from '../../../behaviour/migrate/groupBlocks.ts';
import type { Migration } from '../../../behaviour/migrate/migration.ts';
import { migrationJson } from '../../../behaviour/migrate/migrationJson.ts';
import { escapeJson } from '../../../common/text/escapeText.ts';
import { migrate, type SharedWork } from '../../../public/core.ts';
import { told } from '../../../public/result.ts';
import type { PlainObject } from '../../../report/fleet/fleetReport.ts';
import type { NodeHead } from '../../../report/fleet/nodeVerdict.ts';
import { readNodeDump } from '../../dumps/readNodeDump.ts';
import { reportReading } from '../../dumps/reportReading.ts';
import { rulesNeeds, withPods } from '../../objects/liveNeeds.ts';
import { namesOfNodes } from '../../objects/namesOfNodes.ts';
import { namesOfServices } from '../../objects/namesOfServices.ts';
import { readInput } from '../../objects/readInput.ts';
import { factFiles } from '../../options/factOptions.ts';
import type { MigrateFlags } from '../../options/migrateFlags.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { Messages } from '../../write/messages.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { nodeOfEntry, nodeOption } from '../entries/nodeOfEntry.ts';
import type { FleetFlags } from '../fleetOptions.ts';
import { reportCut } from '../reportCut.ts';
import { isOfOtherCluster } from './isOfOtherCluster.ts';
import type { JudgedNode, NodeJudge } from './judgedNode.ts';

/** Judges nodes as `migrate` judges one with its dump. */
export async function judgeMigrate(
  options: MigrateFlags & FleetFlags,
  { sharing, sound }: SharedWork,
  messages: Messages,
): Promise<NodeJudge> {
  const mode = options.fromMode ?? options.mode;
  const needs = withPods(rulesNeeds(options));
  const input = await readInput({ ...options, ...(mode && { mode }) }, messages, false, needs);
  const { objects, sources } = input;
  const nodes = namesOfNodes(objects);
  const services = namesOfServices(objects);
  const to = { mode: options.to, kubeVersion: options.toVersion };
  const judge = async (entry: FleetEntry, said: Messages): Promise<JudgedNode> => {
    const how = { ...options, facts: factFiles(options), isCompared: false, texts: entry.texts, sound };
    const dump = await readNodeDump([entry.given], how, said);
    const shown = nodeOfEntry(entry, dump, nodes, options.nodeName);
    if (dump === undefined || said.hasErrors()) return { node: shown, verdict: undefined };
    reportReading(dump, said.report);
    const isOther = () =>
      options.live === undefined && isOfOtherCluster({ dump, told: shown, nodes, services }, said.report);
    if (reportCut(dump, said.report) || isOther()) return { node: shown, verdict: undefined };
    const target = { ...input.options, sharing, ...nodeOption(entry, shown, nodes) };
    const found = await told(migrate(objects, { ...target, to, dump }), said.report);
    if (found === undefined || said.hasErrors()) return { node: shown, verdict: undefined };
    const isUnknown = nodes.size === 0 || said.diagnostics().some(({ code }) => code === 'node-not-chosen');
    return { node: isUnknown ? shown : found.node, verdict: () => verdictOf(found, options) };
  };
  return { judge, sources };
}

function verdictOf(
  found: Migration,
  { output, limit = usualPackets }: MigrateFlags,
): Omit<MigratedNode, keyof NodeHead> {
  const { comparison, groups, from, to } = found;
  const isSame = comparison.findings.length === 0 && comparison.open.length === 0;
  const json = migrationJson(found, limit);
  const examples = groups.map(({ findings: [first] }) => (first === undefined ? [] : packetLines(first, from, to)));
  return {
    state: isSame ? 'same' : 'differs',
    code: isSame ? exitCodes.ok : exitCodes.differs,
    body: output === 'json' ? escapeJson(JSON.stringify(json)) : '',
    migration: briefMigration(json as PlainObject, examples),
  };
}

/** All of them, of thousands of nodes, are more than anybody reads. */
const usualPackets = 3;
