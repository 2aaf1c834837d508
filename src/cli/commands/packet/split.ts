import { Command } from 'commander';
import { escapeText } from '../../../common/text/escapeText.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { openTracer } from '../../../public/core.ts';
import type { PacketQuestion } from '../../../trace/question/askPacket.ts';
import type { TraceResult } from '../../../trace/traceResult.ts';
import { isTranslated } from '../../../walk/ask/isTranslated.ts';
import { addWalkOptions, readWalkNode, type WalkFlags } from '../../dumps/readWalkNode.ts';
import { reportUnreadNodes } from '../../dumps/reportUnreadNodes.ts';
import { walkMessages } from '../../dumps/walkMessages.ts';
import { addMessageOptions, formOption, type MessageOptions } from '../../options/commonOptions.ts';
import { addPortOptions } from '../../options/portOption.ts';
import { endMisused, refuseOption } from '../../options/refuseOption.ts';
import { nameComesFirst } from '../../words/nameComesFirst.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

interface SplitFlags extends WalkFlags, MessageOptions {
  readonly from: string;
  readonly proto?: string;
  readonly count?: string;
  readonly seed: string;
  readonly output: 'text' | 'json';
}

/** `k8snet split`: how connections are shared among endpoints. */
export function splitCommand(setExitCode: SetExitCode): Command {
  const command = new Command('split')
    .summary('show how connections are shared among endpoints')
    .description(
      'Shows what part of all connections to a Service each endpoint gets, as a fraction and in percent, and how the rules make it; with --count N also where N connections go.',
    )
    .argument('<where>', 'ADDR:PORT, a Service (namespace/name[:PORT]) or node:PORT')
    .argument('[dump...]', 'files or folders of one node (- for standard input)')
    .option('--from <who>', 'who connects: ADDR, a Pod, node or outside', 'outside')
    .option('--count <n>', 'make N connections and count where they go')
    .option('--seed <number>', 'seed for the random choices of --count', '1');
  addPortOptions(
    command,
    'port of the receiver, where WHERE has none: 80, http, 53/udp',
    'tcp, udp or sctp (default: what the port has, else tcp)',
  );
  addWalkOptions(command);
  command.addOption(formOption('text', 'json'));
  addMessageOptions(command);
  return command
    .addHelpText('after', examples)
    .action(async (to: string, dumps: readonly string[], options: SplitFlags) => {
      setExitCode(await splitAction(to, dumps, options));
    });
}

async function splitAction(to: string, paths: readonly string[], options: SplitFlags): Promise<number> {
  const messages = walkMessages(options);
  const swapped = nameComesFirst('split', to, paths, options.filename !== undefined);
  if (swapped !== undefined) return endMisused(messages, 'split', swapped);
  const read = await readWalkNode(paths, options, messages, false, { purpose: 'questions' });
  if (read === undefined) return exitCodes.badInput;
  reportUnreadNodes(paths, options, messages.report);
  const [{ splitShares, splitText }, { countTraces }, { histogramText }, { noConditions }, { fractionJson }] =
    await Promise.all([
      import('../../../trace/splitShares.ts'),
      import('../../../trace/countTraces.ts'),
      import('../../../trace/show/histogramText.ts'),
      import('../../../trace/known/noConditions.ts'),
      import('../../../trace/show/fractionJson.ts'),
    ]);
  const tracer = await openTracer({ rules: read.node, objects: read.objects });
  const question = { from: options.from, to, proto: options.proto };
  const [count, seed] = [Number(options.count ?? 0), Number(options.seed)];
  const isCountable = Number.isInteger(count) && count >= 0 && count <= 1_000_000 && Number.isInteger(seed);
  const result = tracer.trace(question);
  const histogram =
    count > 0 && isCountable ? countTraces(tracer, question, noConditions, { count, gap: 0, seed }) : undefined;
  // The question has the form of trace's: here WHERE is not an option.
  const message =
    'kind' in result
      ? result.message.replace(/^--to /, '')
      : isCountable
        ? undefined
        : '--count takes a number up to 1000000, --seed a number';
  if (message !== undefined || 'kind' in result || histogram?.kind === 'problem') {
    refuseOption(messages, 'split', message ?? 'cannot count');
    await messages.flush(read.sources);
    return exitCodes.badInput;
  }
  const shares = splitShares(result);
  const { first, isOpen } = await notSplit(tracer, question, result);
  if (options.output === 'json') {
    const rows = shares.map(({ share, ...rest }) => ({
      ...rest,
      share: share === undefined ? null : fractionJson(share),
    }));
    const counted = histogram && { count: histogram.count, counts: histogram.rows };
    writeOut(jsonText({ schema: 'k8snet.split/v1', to, shares: rows, ...counted }));
  } else {
    writeOut([
      ...first.map((line) => `${escapeText(line)}\n`),
      splitText(shares),
      ...(histogram ? ['\n', histogramText(histogram)] : []),
    ]);
  }
  await messages.flush(read.sources);
  return isOpen ? exitCodes.undecided : exitCodes.ok;
}

/** Where no rule shares the connections: why not, in a sentence, and whether rules that do may be in what the dump lacks. */
async function notSplit(
  tracer: Awaited<ReturnType<typeof openTracer>>,
  question: PacketQuestion,
  result: TraceResult,
): Promise<{ readonly first: readonly string[]; readonly isOpen: boolean }> {
  const isOpen = result.outcomes.some(({ first }) => first.end.kind === 'unknown');
  if (isOpen || result.outcomes.some(({ first: { flow } }) => isTranslated(flow.connection, 'destination')))
    return { first: [], isOpen };
  const { whyCauses } = await import('../../../why/whyCauses.ts');
  const { input } = tracer.tracerOf(result.packet.family);
  const { verdict, causes } = whyCauses(result, input, tracer.known(question, result));
  const [cause] = causes;
  if (cause === undefined || verdict === 'arrives') return { first: [], isOpen };
  return { first: [cause.what], isOpen: cause.code === 'not-shown' };
}

const examples = `
Examples:
  k8snet split 10.96.0.10:80 node1.save
  k8snet split shop/web:http -f cluster.yaml --node n1 --count 1000
  k8snet split node:30080 node1/ --from outside

Exit status: 0 done, 3 where connections, or a part of them, go is not in the dump, 2 bad usage or input, 70 a bug of k8snet.
`;
