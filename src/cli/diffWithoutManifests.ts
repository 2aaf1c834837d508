import type { CompareLevel } from '../compare/diffChain.ts';
import { noSources } from '../load/noSources.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { diffDumps, diffNodes } from '../public/core.ts';
import { orThrow } from '../public/result.ts';
import { nodeName } from './dumps/nodeName.ts';
import { readNodeDump } from './dumps/readNodeDump.ts';
import { withEachNode } from './dumps/readNodes.ts';
import { diffLongDumps } from './long/diffLongDumps.ts';
import type { ReadAhead } from './long/readAhead.ts';
import { isUnknownService } from './objects/isUnknownService.ts';
import type { DiffFlags } from './options/diffFlags.ts';
import { factFiles } from './options/factOptions.ts';
import { endMisused } from './options/refuseOption.ts';
import { printReport } from './options/reportOptions.ts';
import { exitCodes } from './write/exitCodes.ts';
import type { Messages } from './write/messages.ts';

/** Compares two dumps, or several nodes of one cluster, only by their rules. */
export async function diffWithoutManifests(
  words: readonly string[],
  options: DiffFlags,
  messages: Messages,
  ahead: ReadAhead,
): Promise<number> {
  const paths = await withEachNode(words, options, messages);
  const hasFacts = factFiles(options).length > 0;
  if (hasFacts || (options.nodes ? paths.length < 2 : paths.length !== 2)) {
    const message = hasFacts
      ? '--conntrack, --routes and --bridge need manifests: pass them with -f'
      : options.nodes
        ? '--nodes needs the dumps of two nodes or more'
        : `pass manifests with -f, two dumps, or several with --nodes${paths.length === 1 ? '; doctor looks at one dump alone' : ''}`;
    return endMisused(messages, 'diff', message);
  }
  const how = { level: options.compare as CompareLevel, hasForeign: options.foreign, service: options.service };
  if (!options.nodes && options.service === undefined) {
    const report = await diffLongDumps(paths, options.family, how, ahead);
    if (report !== undefined) {
      const code = await printReport(report, options, messages, noSources);
      await messages.flush();
      return code;
    }
  }
  const read: NodeRules[] = [];
  for (const path of paths) {
    const node = await readNodeDump([path], { ...options, facts: [], isCompared: true }, messages);
    if (node) read.push({ ...node, name: nodeName(path, paths) });
  }
  if (read.length < paths.length || read.length < 2) {
    await messages.flush();
    return exitCodes.badInput;
  }
  if (await isUnknownService(options.service, { given: [], dumps: read }, messages)) {
    await messages.flush();
    return exitCodes.badInput;
  }
  const report = options.nodes
    ? await orThrow(diffNodes(read, how))
    : await orThrow(diffDumps(read[0] as NodeRules, read[1] as NodeRules, how));
  const code = await printReport(report, options, messages, noSources);
  await messages.flush();
  return code;
}
