import { Command } from 'commander';
import type { SenderKind } from '../../../behaviour/packets/senderKinds.ts';
import type { Reach } from '../../../behaviour/reach/reach.ts';
import type { Find } from '../../../behaviour/reach/reachFind.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { reach } from '../../../public/core.ts';
import { orThrow } from '../../../public/result.ts';
import { readEntrances } from '../../diffBehaviour.ts';
import { absenceOf } from '../../dumps/absenceOf.ts';
import { addWalkOptions, readWalkNode, type WalkFlags } from '../../dumps/readWalkNode.ts';
import { refuseUnknownService } from '../../objects/refuseUnknownService.ts';
import {
  addMessageOptions,
  collect,
  formOption,
  limitOption,
  type MessageOptions,
  rulesOption,
} from '../../options/commonOptions.ts';
import { addPortOptions } from '../../options/portOption.ts';
import { refuseOption } from '../../options/refuseOption.ts';
import { type ReachQuestion, readReachQuestion } from '../../words/reachQuestion.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages, type Messages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

type Form = 'text' | 'json' | 'html';

interface ReachFlags extends WalkFlags, MessageOptions {
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
      'svc/NAMESPACE/NAME or ADDRESS[:PORT] to show that alone; all else are dumps: files or folders of one node (- for standard input)',
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
  addWalkOptions(command);
  command.addOption(formOption('text', 'json', 'html'));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (words: readonly string[], options: ReachFlags) => {
    setExitCode(await reachAction(words, options));
  });
}

async function reachAction(words: readonly string[], options: ReachFlags): Promise<number> {
  const messages = collectMessages(options);
  const { readFind, findWords } = await import('../../../behaviour/reach/reachFind.ts');
  const asked = readReachQuestion(words);
  if (typeof asked === 'string') return refuse(messages, asked);
  const finds: Find[] = [];
  for (const text of options.find ?? []) {
    const find = readFind(text);
    if (find === undefined)
      return refuse(messages, `--find ${text}: one of ${findWords.join(', ')}, or 'to ADDRESS[:PORT]'`);
    finds.push(find);
  }
  if (options.find !== undefined && options.output === 'html')
    return refuse(messages, '--find is printed as text or json');
  const read = await readWalkNode([...(options.rules ?? []), ...asked.dumps], options, messages);
  if (read === undefined) return exitCodes.badInput;
  const { service } = asked.question;
  if (service !== undefined) {
    refuseUnknownService(
      service,
      read.objects?.services.map(({ name }) => name) ?? [],
      [read.node],
      messages.report,
      '',
    );
  }
  if (messages.hasErrors()) {
    await messages.flush(read.sources);
    return exitCodes.badInput;
  }
  const isDumpWalked = (options.rules ?? []).length + asked.dumps.length > 0;
  // A question about an address need not be about a Service.
  const isOfServices = finds.length === 0 && (asked.question.to === undefined || service !== undefined);
  const absence = isDumpWalked && isOfServices ? absenceOf(read.node) : undefined;
  if (absence !== undefined) {
    messages.report(absence);
    await messages.flush(read.sources);
    return exitCodes.differs;
  }
  const { assumedNetwork } = await import('../../../behaviour/assumedNetwork.ts');
  messages.progress('rules read');
  const { node } = read;
  const isShown = node.network.interfaces.length > 0 || node.network.routes.length > 0;
  // Without any address the node sends nothing, and nobody reaches its node ports.
  const objects = read.ownAddresses
    ? assumedNetwork([node], read.ownAddresses)
    : (read.objects ?? (isShown ? undefined : assumedNetwork([node])));
  const reached = await orThrow(
    reach(
      { rules: node, ...(objects && { objects }) },
      {
        ...asked.question,
        isOfServicePorts: asked.question.to === undefined && finds.length === 0,
        ...(options.entrance && { entrances: options.entrance }),
      },
    ),
  );
  messages.progress('walked');
  const code = await print(reached, asked.question, finds, options);
  await messages.flush(read.sources);
  return reached.otherPolicies?.length ? exitCodes.undecided : code;
}

async function print(
  reached: Reach,
  question: ReachQuestion,
  finds: readonly Find[],
  { output, limit = Number.POSITIVE_INFINITY, verbose }: ReachFlags,
): Promise<number> {
  if (finds.length > 0) return printFound(reached, finds, output, limit);
  const { serviceRows } = await import('../../../behaviour/reach/serviceRows.ts');
  // For a whole node, the addresses of Services and their ports are shown: the rest can be searched.
  const isWhole = question.to === undefined;
  const shown = isWhole ? { ...reached, rows: serviceRows(reached.rows) } : reached;
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
  return exitCodes.ok;
}

async function printFound(reached: Reach, finds: readonly Find[], output: Form, limit: number): Promise<number> {
  const { findReach } = await import('../../../behaviour/reach/reachFind.ts');
  const found = findReach(reached, finds);
  if (output === 'json') {
    const { foundJson } = await import('../../../behaviour/reach/reachJson.ts');
    writeOut(jsonText(foundJson(reached, found, limit)));
  } else {
    const { reachFoundText } = await import('../../../behaviour/reach/reachFoundText.ts');
    writeOut([reachFoundText(reached, found, limit)]);
  }
  return found.length > 0 ? exitCodes.ok : exitCodes.differs;
}

function refuse(messages: Messages, message: string): Promise<number> {
  const code = refuseOption(messages, 'reach', message);
  return messages.flush().then(() => code);
}

const examples = `
Examples:
  k8snet reach node1/                                  every Service of a node
  k8snet reach node1/ svc/shop/web                     one Service
  k8snet reach -f cluster.yaml --node n1 10.96.0.10:80 an address, by what the manifests compile to
  k8snet reach node1/ --find dropped                   what is dropped, each with a packet for k8snet trace
  k8snet reach node1/ --find 'to 10.244.1.9'           what gets to an endpoint
  k8snet reach node1/ -o html > reach.html

To see the ways to each Service drawn: k8snet page -f cluster.yaml --node n1 -o cluster.html

Exit status: 0 shown or found, 1 --find found nothing or the dump has no rule of kube-proxy, 2 bad usage or input,
3 policies of other kinds decide too, 70 a bug of k8snet.
`;
