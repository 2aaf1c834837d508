import { Command } from 'commander';
import type { SenderKind } from '../../../behaviour/packets/senderKinds.ts';
import type { Reach } from '../../../behaviour/reach/reach.ts';
import type { Find } from '../../../behaviour/reach/reachFind.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { gapsText } from '../../../seen/gaps/gapsText.ts';
import { readEntrances } from '../../diffBehaviour.ts';
import { addWalkOptions, readWalkNode, type WalkFlags } from '../../dumps/readWalkNode.ts';
import { reportUnreadNodes } from '../../dumps/reportUnreadNodes.ts';
import { walkMessages } from '../../dumps/walkMessages.ts';
import { fleetOf } from '../../fleet/fleetOf.ts';
import { addFleetOptions, type FleetFlags } from '../../fleet/fleetOptions.ts';
import { refuseUnknownService, servicesOfObjects } from '../../objects/refuseUnknownService.ts';
import {
  addMessageOptions,
  collect,
  formOption,
  limitOption,
  type MessageOptions,
  rulesOption,
} from '../../options/commonOptions.ts';
import { addPortOptions } from '../../options/portOption.ts';
import { endMisused } from '../../options/refuseOption.ts';
import type { AskedReach } from '../../walkReach.ts';
import { readReachQuestion } from '../../words/reachQuestion.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { Messages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

type Form = 'text' | 'json' | 'html';

interface ReachFlags extends WalkFlags, MessageOptions, FleetFlags {
  readonly rules?: readonly string[];
  readonly find?: readonly string[];
  readonly entrance?: readonly SenderKind[];
  readonly limit?: number;
  readonly output: Form;
}

/** `k8snet reach`: which senders reach which addresses of Services, and how. */
export function reachCommand(setExitCode: SetExitCode): Command {
  const command = new Command('reach')
    .summary('show who reaches which Services of a node, which endpoint answers, and which source address it sees')
    .description(
      'Walks packets of all senders to all addresses of Services through the rules of a node: one row for each address and port, one column for each place that packets come from (pod, endpoint, remote-pod, remote-endpoint, other-node, node, outside). Each cell says who answers, whether the sender keeps its address, or that packets are refused or dropped.',
    )
    .argument(
      '[words...]',
      'svc/NAMESPACE/NAME or ADDRESS[:PORT] to show that alone; all else are dumps: files or folders of one node (- for standard input), or a folder, an archive or files of many nodes; with --live node/NAME or nodes of the cluster',
    )
    .addOption(rulesOption())
    .option(
      '--find <what>',
      "list the classes of packets that are dropped, refused, answered, masqueraded, untranslated, unroutable, unknown, come to the node itself (node), or get to an endpoint ('to 10.0.0.9'); can be repeated",
      collect,
    )
    .option('--entrance <kinds>', 'only these senders: pod,outside,node …; can be repeated', readEntrances)
    .addOption(limitOption('show at most this many'));
  addPortOptions(
    command,
    'port of the Service or address: 80, http, 53/udp',
    'any: all protocols of the port are shown',
  );
  addFleetOptions(command, { canFail: false });
  addWalkOptions(command);
  command.addOption(formOption('text', 'json', 'html'));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (words: readonly string[], options: ReachFlags) => {
    setExitCode(await reachAction(words, options));
  });
}

async function reachAction(given: readonly string[], options: ReachFlags): Promise<number> {
  const messages = walkMessages(options);
  const words = readReachQuestion(given);
  if (typeof words === 'string') return endMisused(messages, 'reach', words);
  const { readFinds } = await import('../../walkReach.ts');
  const finds = readFinds(options.find ?? []);
  if (typeof finds === 'string') return endMisused(messages, 'reach', finds);
  if (options.find !== undefined && options.output === 'html')
    return endMisused(messages, 'reach', '--find is printed as text or json');
  const { question } = words;
  const dumps = [...(options.rules ?? []), ...words.dumps];
  const fleet = await fleetOf('reach', dumps, options, messages);
  if (fleet.kind === 'refused') return fleet.code;
  if (fleet.kind === 'many') {
    const { runFleet } = await import('../../fleet/runFleet.ts');
    return runFleet({ name: 'reach', options: { ...options, question } }, fleet.paths);
  }
  return reachOne(dumps, { question, finds, entrances: options.entrance }, options, messages);
}

async function reachOne(
  dumps: readonly string[],
  asked: AskedReach,
  options: ReachFlags,
  messages: Messages,
): Promise<number> {
  const read = await readWalkNode(dumps, options, messages);
  if (read === undefined) return exitCodes.badInput;
  reportUnreadNodes(dumps, options, messages.report);
  const { service } = asked.question;
  if (service !== undefined) {
    refuseUnknownService(service, { ...servicesOfObjects(read.objects), dumps: [read.node] }, messages.report, '');
  }
  if (messages.hasErrors()) {
    await messages.flush(read.sources);
    return exitCodes.badInput;
  }
  const { absenceFor, gapsOf, walkReach } = await import('../../walkReach.ts');
  const absence = dumps.length > 0 ? absenceFor(read, asked) : undefined;
  if (absence !== undefined) {
    messages.report(absence);
    await messages.flush(read.sources);
    return exitCodes.differs;
  }
  messages.progress('rules read');
  const reached = await walkReach(read, asked);
  messages.progress('walked');
  const gaps = gapsOf(read.node);
  const hasRows = await print(reached, asked, options);
  if (gaps.length > 0) {
    messages.report({ code: 'dump-note', severity: 'note', message: gapsText(read.node.name, gaps), at: [] });
  }
  await messages.flush(read.sources);
  // What a part of the rules does not show may well be on the node.
  if (reached.otherPolicies?.length || (gaps.length > 0 && !hasRows)) return exitCodes.undecided;
  return hasRows || asked.finds.length === 0 ? exitCodes.ok : exitCodes.differs;
}

/** Whether there was something to print. */
async function print(
  reached: Reach,
  asked: AskedReach,
  { output, limit = Number.POSITIVE_INFINITY, verbose }: ReachFlags,
): Promise<boolean> {
  if (asked.finds.length > 0) return printFound(reached, asked.finds, output, limit);
  const { shownRows } = await import('../../walkReach.ts');
  const shown = { ...reached, rows: shownRows(reached, asked) };
  switch (output) {
    case 'json': {
      const { reachJson } = await import('../../../behaviour/reach/reachJson.ts');
      writeOut(jsonText(reachJson(shown, limit)));
      break;
    }
    case 'html': {
      const { reachHtml } = await import('../../../behaviour/reach/reachHtml.ts');
      writeOut(reachHtml({ ...shown, rows: shown.rows.slice(0, limit) }));
      break;
    }
    case 'text': {
      const { reachText } = await import('../../../behaviour/reach/reachText.ts');
      writeOut([reachText(shown, { isVerbose: verbose, limit })]);
    }
  }
  return shown.rows.length > 0;
}

async function printFound(reached: Reach, finds: readonly Find[], output: Form, limit: number): Promise<boolean> {
  const { findReach } = await import('../../../behaviour/reach/reachFind.ts');
  const found = findReach(reached, finds);
  if (output === 'json') {
    const { foundJson } = await import('../../../behaviour/reach/reachJson.ts');
    writeOut(jsonText(foundJson(reached, found, limit)));
  } else {
    const { reachFoundText } = await import('../../../behaviour/reach/reachFoundText.ts');
    writeOut([reachFoundText(reached, found, limit)]);
  }
  return found.length > 0;
}

const examples = `
Examples:
  k8snet reach node1/                                   every Service of a node
  k8snet reach node1/ svc/shop/web                      one Service
  k8snet reach -f cluster.yaml --node n1 10.96.0.10:80  an address, by what the manifests compile to
  k8snet reach node1/ --find dropped                    what is dropped, each with a packet for k8snet trace
  k8snet reach node1/ --find 'to 10.244.1.9'            what gets to an endpoint
  k8snet reach node1/ -o html > reach.html
  k8snet reach nodes/                                   many nodes: which of them differs from the others, and for whom
  k8snet reach -f cluster.yaml nodes/ svc/shop/web      one Service on all of them
  k8snet reach nodes/ --find dropped                    what is dropped, and on which nodes
  k8snet reach --live nodes                             all nodes of the cluster

To see the ways to each Service drawn: k8snet page -f cluster.yaml --node n1 -o cluster.html

Exit status: 0 shown or found (of many nodes: whether or not they differ), 1 --find found nothing or the dump has no rule of
kube-proxy, 2 bad usage or input (of many nodes: also where one of them could not be judged), 3 policies of other kinds
decide too, or a dump that shows only a part of the rules has nothing to show, 5 the cluster or a node could not be read,
70 a bug of k8snet.
`;
