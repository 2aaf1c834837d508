import { lookAgain } from '../live/lookAgain.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { expectedFor, judgeNode, readComparedManifests } from './compareWithManifests.ts';
import { nodesNamed } from './dumps/nodeWords.ts';
import { readNodeDump } from './dumps/readNodeDump.ts';
import { type BegunDump, begunDump } from './long/begunDump.ts';
import { readLongNodeDump } from './long/readLongNodeDump.ts';
import { rulesNeeds } from './objects/liveNeeds.ts';
import type { DiffFlags } from './options/diffFlags.ts';
import { factFiles } from './options/factOptions.ts';
import { printReport, reportCode } from './options/reportOptions.ts';
import { exitCodes } from './write/exitCodes.ts';
import type { Messages } from './write/messages.ts';

/** One node against manifests or the objects of its cluster: prints the report, and returns the exit code. */
export async function diffWithManifests(
  paths: readonly string[],
  filename: readonly string[],
  options: DiffFlags,
  first: Messages,
): Promise<number> {
  const { report, messages, sources, scopes } = await compareSurely(paths, filename, options, first);
  if (report === undefined) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  const code = await printReport(report, options, messages, sources, scopes);
  await messages.flush(sources);
  return code;
}

/**
 * In a cluster where something changes, a node differs in what later looks show too: kube-proxy may be about to write what
 * was deleted just before, and what changes meanwhile.
 */
export async function compareSurely(
  paths: readonly string[],
  filename: readonly string[],
  options: DiffFlags,
  messages: Messages,
) {
  const first: Look = { ...(await compareOnce(paths, filename, options, messages)), messages, earlier: undefined };
  const differs = ({ report }: Look) => report !== undefined && reportCode(report, options.failOn) !== exitCodes.ok;
  const nodes = nodesNamed(paths);
  return lookAgain(first, options.live, differs, async (live, before) => {
    await live.readTogether(nodes, rulesNeeds(options));
    const said = messages.again();
    // A node that had no rules to compare then says nothing about those that it has now.
    const earlier = before.earlier === undefined && before.report?.chains?.length === 0 ? undefined : before.report;
    const again = await compareOnce(paths, filename, { ...options, live, liveNodes: live }, said, earlier);
    return again.report === undefined ? undefined : { ...again, messages: said, earlier };
  });
}

/** `earlier`: it holds only what differed then, too. */
interface Look extends Awaited<ReturnType<typeof compareOnce>> {
  readonly messages: Messages;
  readonly earlier: DiffReport | undefined;
}

async function compareOnce(
  paths: readonly string[],
  filename: readonly string[],
  options: DiffFlags,
  messages: Messages,
  earlier?: DiffReport,
) {
  const facts = factFiles(options);
  const usual = (bytes?: Buffer) => readNodeDump(paths, { ...options, facts, isCompared: true, bytes }, messages);
  const long = facts.length === 0 ? readLongNodeDump(paths, options.family, 'search') : undefined;
  // A long dump is searched in the background while manifests are read.
  const coming = begunDump(long, usual);
  const { dump, expected, sources, scopes, serviceNames, snapshot } = await readAndCompile(
    filename,
    options,
    long === undefined ? await coming : coming,
    messages,
  );
  const isReady = !messages.hasErrors() && dump !== undefined && expected !== undefined;
  const report = isReady
    ? await judgeNode({ dump, expected, serviceNames, earlier, snapshot }, options, messages)
    : undefined;
  if (report !== undefined) messages.progress('compared');
  return { report, sources, scopes };
}

/** A separate function, so nothing refers to the objects while rules are compared. */
export async function readAndCompile(
  filename: readonly string[],
  options: DiffFlags,
  coming: BegunDump | Promise<BegunDump>,
  messages: Messages,
) {
  const manifests = await readComparedManifests(filename, options, messages);
  const { dump, search } = await coming;
  messages.progress('dump read');
  const expected = dump && (await expectedFor(manifests, dump, messages.report, search));
  messages.progress('manifests planned');
  const { sources, scopes, serviceNames, snapshot } = manifests;
  return { dump, expected, sources, scopes, serviceNames, snapshot };
}
