import type { ServiceCheck } from '../../../aid/serviceCheck.ts';
import { count } from '../../../common/text/count.ts';
import { noSources } from '../../../load/noSources.ts';
import { hiddenKinds, placeOfSnapshot } from '../../../load/snapshot.ts';
import type { Sources } from '../../../load/sources.ts';
import { checkService } from '../../../public/core.ts';
import { told } from '../../../public/result.ts';
import { archiveBothWays } from '../../dumps/archiveBothWays.ts';
import { nodesNamed } from '../../dumps/nodeWords.ts';
import { beginCheckedNode, nodeGroups, readCheckedNodes, withArchiveNodes } from '../../dumps/readCheckedNodes.ts';
import { nodeInArchive } from '../../dumps/readDumpFiles.ts';
import { withEachNode } from '../../dumps/readNodes.ts';
import { changingServices } from '../../objects/changingServices.ts';
import { checkNeeds, wantsKind } from '../../objects/liveNeeds.ts';
import type { InputOptions, MessageOptions } from '../../options/commonOptions.ts';
import { type FactFlags, factFiles } from '../../options/factOptions.ts';
import type { LiveFlags } from '../../options/liveFlags.ts';
import { refuseOption } from '../../options/refuseOption.ts';
import { type TargetFlags, targetOptions } from '../../options/targetOptions.ts';
import type { WatchFlags } from '../../watch/watchOptions.ts';
import type { askedServiceName } from '../../words/askedServiceName.ts';
import type { Messages } from '../../write/messages.ts';

/** What the command line says besides the Service and the dumps. */
export interface CheckServiceFlags
  extends Partial<InputOptions>,
    LiveFlags,
    WatchFlags,
    TargetFlags,
    FactFlags,
    MessageOptions {
  readonly namespace?: string;
  readonly from?: string;
  readonly output: 'text' | 'json';
}

/** The Service, and perhaps its port. */
export type Asked = Exclude<ReturnType<typeof askedServiceName>, string>;

export interface Checked {
  /** Undefined: the reason was reported. */
  readonly answer: { readonly check: ServiceCheck; readonly isUnread: boolean } | undefined;
  readonly sources: Sources;
}

export async function checkOnce(
  asked: Asked,
  words: readonly string[],
  options: CheckServiceFlags,
  messages: Messages,
): Promise<Checked> {
  const { live, liveNodes, recursive = false } = options;
  const { filename, paths } = await archiveBothWays(words, options);
  const wrong = (message: string) => {
    refuseOption(messages, 'check-service', message);
    return { answer: undefined, sources: noSources };
  };
  let hidesNodes = false;
  // The code that reads the objects reports it.
  const hide = () => {
    hidesNodes = true;
  };
  const named = await withArchiveNodes(await withEachNode(paths, options, messages, live && hide));
  const groups = await nodeGroups(named, options);
  if (groups.length > 1 && options.node !== undefined)
    return wrong('--node names one node, and there are several dumps');
  if (groups.length !== 1 && factFiles(options).length > 0)
    return wrong('facts about a node (--conntrack, --routes …) go with the dump of one node');
  const needs = checkNeeds(options);
  const long = beginCheckedNode(groups, options);
  await liveNodes?.readTogether(nodesNamed(named), live && needs, asked.service);
  const objects =
    filename &&
    (await (
      await import('../../objects/readInput.ts')
    ).readInput({ ...options, filename, recursive }, messages, false, needs));
  const { nodes, search } = await readCheckedNodes(groups, options, messages, long);
  const wanted = liveNodes === undefined ? [] : nodesNamed(named);
  const lost = isWholeArchive(paths) ? (objects?.snapshot?.unreadNodes ?? 0) : 0;
  if (lost > 0) reportLost(objects?.snapshot?.file ?? '', lost, messages);
  const unread = wanted.filter((name) => !nodes.some((node) => node.name === name));
  const sources = objects?.sources ?? noSources;
  if (messages.hasErrors()) return { answer: undefined, sources };
  const check = await told(
    checkService(
      {
        ...asked,
        from: options.from,
        objects: objects?.objects,
        nodes,
        unread,
        hidden: new Set(
          [...(live?.hidden() ?? []), ...(objects ? hiddenKinds(objects) : [])].filter((kind) =>
            wantsKind(needs, kind),
          ),
        ),
        changing: changingServices(options, objects?.snapshot),
        isWhole:
          live === undefined ? objects?.snapshot?.isWhole === true : live.namespace === undefined && !live.isPartial(),
      },
      { ...(objects?.options ?? { ...targetOptions(options), kubeVersion: options.kubeVersion }), search },
    ),
    messages.report,
  );
  return { answer: check && { check, isUnread: unread.length + lost > 0 || hidesNodes }, sources };
}

/** Who names one node of an archive does not ask for the others. */
function isWholeArchive(paths: readonly string[]): boolean {
  return paths.some((path) => {
    const named = nodeInArchive(path);
    return named !== undefined && named.node === undefined;
  });
}

function reportLost(file: string, nodes: number, { report }: Messages): void {
  report({
    code: 'node-unread',
    severity: 'warning',
    message: `${placeOfSnapshot(file)} lacks ${count(nodes, 'node')} that could not be read when it was made`,
    at: [],
  });
}
