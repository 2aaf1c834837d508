import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { escapeText } from '../../../common/text/escapeText.ts';
import { isUrl } from '../../../common/text/isUrl.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { readingNotes } from '../../../node/lines/readingNotes.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { diagnose, type NodeTracer, openTracer } from '../../../public/core.ts';
import { orThrow } from '../../../public/result.ts';
import type { FindMet } from '../../../trace/metFindings.ts';
import type { TraceJsonOptions } from '../../../trace/show/traceJson.ts';
import type { TraceResult } from '../../../trace/traceResult.ts';
import type { TraceConditions } from '../../../trace/tracer.ts';
import type { Topology } from '../../../walk/input/topology.ts';
import type { Why } from '../../../why/whyCauses.ts';
import { addWalkOptions, readWalkNode, type WalkFlags } from '../../dumps/readWalkNode.ts';
import { reportUnreadNodes } from '../../dumps/reportUnreadNodes.ts';
import { walkMessages } from '../../dumps/walkMessages.ts';
import { addMessageOptions, collect, formOption, type MessageOptions } from '../../options/commonOptions.ts';
import { addPacketOptions, type PacketFlags, readConditions } from '../../options/packetOptions.ts';
import { refuseOption } from '../../options/refuseOption.ts';
import { lackOfEnds } from '../../words/lackOfEnds.ts';
import { endRefused, urlTarget } from '../../words/urlTarget.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { Messages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { traceCode } from '../../write/verdictCode.ts';
import { writeOut } from '../../write/writeOut.ts';

type Form = 'text' | 'json' | 'table' | 'mermaid' | 'dot';

interface TraceFlags extends WalkFlags, PacketFlags, MessageOptions {
  readonly choose?: readonly string[];
  readonly batch?: string;
  readonly events?: string;
  readonly count?: string;
  readonly gap: string;
  readonly seed: string;
  readonly expect?: readonly string[];
  readonly output: Form;
  /** How a URL was resolved to `from` and `to`. */
  readonly said?: readonly string[];
}

/** `k8snet trace`: the way of a packet through the rules of a node. */
export function traceCommand(setExitCode: SetExitCode): Command {
  const command = new Command('trace')
    .summary('follow a packet through the rules of a node')
    .description(
      'Walks a packet through the rules of a node, of all tables and back ends, as the kernel would: which rules it meets, where chance sends it and how often, what the next packets and the answer do. The rules come from dumps of the node, from manifests (-f), or both: then the dump is walked, and the manifests name Pods and Services.',
    )
    .argument(
      '[dump...]',
      'files or folders of one node, also one that collect filled (- for standard input); sender and receiver may stand beside them instead of --from and --to',
    );
  addPacketOptions(command);
  addTraceOptions(command);
  addWalkOptions(command);
  command.addOption(formOption('text', 'json', 'table', 'mermaid', 'dot'));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: TraceFlags) => {
    setExitCode(await traceAction(dumps, options));
  });
}

function addTraceOptions(command: Command): Command {
  return command
    .option('--choose <chain>', 'only paths through CHAIN; can be repeated', collect)
    .option('--batch <file>', 'packets as JSON, one a line, with the options as keys and an id (- for standard input)')
    .option(
      '--events <file>',
      "read the kernel's own trace (nft monitor trace, xtables-monitor --trace, TRACE lines of its log; - for standard input) and find its rules in the dump",
    )
    .option('--count <n>', 'make N connections, one after the other, and count where they go')
    .option('--gap <time>', 'time between two of them', '0s')
    .option('--seed <number>', 'seed for the random choices of --count', '1')
    .option(
      '--expect <what>',
      'fail unless it holds on every path: arrives, answered, dropped, to=ADDR …; can be repeated',
      collect,
    );
}

async function traceAction(paths: readonly string[], asked: TraceFlags): Promise<number> {
  const messages = walkMessages(asked);
  const url = isUrl(asked.to) ? await urlTarget(asked, messages) : undefined;
  if (url !== undefined && 'kind' in url) return endRefused(url, 'trace', messages);
  const options = url === undefined ? asked : { ...asked, ...url };
  const read = await readWalkNode(paths, options, messages, false, { purpose: 'questions' });
  if (read === undefined) return exitCodes.badInput;
  reportUnreadNodes(paths, options, messages.report);
  const code = await answerAll(read, options, messages);
  await messages.flush(read.sources);
  return code;
}

type Read = NonNullable<Awaited<ReturnType<typeof readWalkNode>>>;

async function answerAll({ node, objects }: Read, options: TraceFlags, messages: Messages): Promise<number> {
  const tracer = await openTracer({ rules: node, objects });
  const conditions = await readConditions(options);
  if (typeof conditions === 'string') return refuseOption(messages, 'trace', conditions);
  const findings = options.output === 'json' || options.batch !== undefined ? await findingsOf(node) : noFindings;
  if (options.batch !== undefined) {
    const { traceBatch } = await import('../../../trace/traceBatch.ts');
    const text = readFileSync(options.batch === '-' ? 0 : options.batch, 'utf8');
    return writeBatch(traceBatch(tracer, text, conditions, findings));
  }
  const { from, to } = options;
  if (options.events !== undefined) return eventsAction(tracer, options.events, conditions, options, messages);
  if (from === undefined || to === undefined)
    return refuseOption(messages, 'trace', lackOfEnds(options, ', or --batch'));
  const question = { ...options, from, to };
  if (options.count !== undefined) return countAction(tracer, question, conditions, options, messages);
  const result = tracer.trace(question, conditions);
  if ('kind' in result) return refuseOption(messages, 'trace', result.message);
  const { chosenOutcomes } = await import('../../../trace/chosenOutcomes.ts');
  const chosen = chosenOutcomes(result, options.choose ?? []);
  if (chosen === undefined)
    return refuseOption(messages, 'trace', `no way comes through ${(options.choose ?? []).join(' and ')}`);
  const names = tracer.endpointNames(chosen.packet.family);
  const [{ whyCauses }, { traceAnswerOf }] = await Promise.all([
    import('../../../why/whyCauses.ts'),
    import('../../../why/traceAnswerOf.ts'),
  ]);
  const { family } = chosen.packet;
  const why = whyCauses(chosen, tracer.tracerOf(family).input, {
    ...tracer.known(question, chosen),
    // A trace is about a packet that is here, however it came.
    isInterfaceGiven: true,
  });
  const { topology } = tracer.tracerOf(family).input;
  if (options.output === 'text') writeOut((options.said ?? []).map((line) => `${escapeText(line)}\n`));
  else for (const line of options.said ?? []) chosen.notes.notes.add(line);
  await print(chosen, names, options, {
    findings: findings(chosen),
    notes: readingNotes(node),
    answer: traceAnswerOf(why),
    topology,
  });
  return exitCodeOf(chosen, why, options, messages);
}

/** Findings of the dump that is walked; compiled rules have neither places nor faults. */
async function findingsOf(node: NodeRules): Promise<FindMet> {
  const { findMet, isQuicklyDiagnosed } = await import('../../../trace/metFindings.ts');
  if (!isQuicklyDiagnosed(node)) return noFindings;
  return findMet((await orThrow(diagnose(node))).findings);
}

const noFindings: FindMet = () => [];

async function eventsAction(
  tracer: NodeTracer,
  file: string,
  conditions: TraceConditions,
  options: TraceFlags,
  messages: Messages,
): Promise<number> {
  const { from, to, output } = options;
  if (output !== 'text' && output !== 'json')
    return refuseOption(messages, 'trace', '--events is printed as text or json');
  if ((from === undefined) !== (to === undefined))
    return refuseOption(messages, 'trace', '--from and --to go together');
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    return refuseOption(messages, 'trace', `--events ${file}: cannot be read`);
  }
  const { traceEvents } = await import('../../../kernelTrace/traceEvents.ts');
  const walk = from === undefined || to === undefined ? undefined : tracer.trace({ ...options, from, to }, conditions);
  if (walk !== undefined && 'kind' in walk) return refuseOption(messages, 'trace', walk.message);
  const answer = traceEvents(tracer, text, walk, { isVerbose: options.verbose });
  if (answer.kind === 'problem') return refuseOption(messages, 'trace', answer.message);
  writeOut(output === 'json' ? jsonText(answer.json) : [answer.text]);
  return answer.differs ? exitCodes.differs : exitCodes.ok;
}

async function countAction(
  tracer: NodeTracer,
  question: import('../../../trace/question/askPacket.ts').PacketQuestion,
  conditions: TraceConditions,
  options: TraceFlags,
  messages: Messages,
): Promise<number> {
  const [{ countTraces }, { readAge }, { histogramText }] = await Promise.all([
    import('../../../trace/countTraces.ts'),
    import('../../../trace/question/readSeen.ts'),
    import('../../../trace/show/histogramText.ts'),
  ]);
  const count = Number(options.count);
  const gap = readAge(options.gap);
  const seed = Number(options.seed);
  if (!Number.isInteger(count) || count < 1 || count > mostCounted)
    return refuseOption(messages, 'trace', `--count ${options.count}: a number up to ${mostCounted}`);
  if (gap === undefined || !Number.isInteger(seed))
    return refuseOption(messages, 'trace', '--gap is a time, as 10s; --seed a number');
  const histogram = countTraces(tracer, question, conditions, { count, gap, seed });
  if (histogram.kind === 'problem') return refuseOption(messages, 'trace', histogram.message);
  const { kind: _, ...counted } = histogram;
  writeOut(
    options.output === 'json' ? jsonText({ schema: 'k8snet.trace-count/v1', ...counted }) : [histogramText(histogram)],
  );
  return exitCodes.ok;
}

const mostCounted = 1_000_000;

function writeBatch(answers: Iterable<{ readonly answer: object; readonly isWalked: boolean }>): number {
  let isWhole = true;
  for (const { answer, isWalked } of answers) {
    isWhole &&= isWalked;
    writeOut([`${JSON.stringify(answer)}\n`]);
  }
  return isWhole ? exitCodes.ok : exitCodes.badInput;
}

async function print(
  result: TraceResult,
  names: import('../../../trace/show/endpointFinder.ts').EndpointFinder,
  { output, verbose }: TraceFlags,
  read: Pick<TraceJsonOptions, 'findings' | 'notes' | 'answer'> & { readonly topology: Topology },
): Promise<void> {
  switch (output) {
    case 'json': {
      const { traceJson } = await import('../../../trace/show/traceJson.ts');
      writeOut(jsonText(traceJson(result, names, read)));
      return;
    }
    case 'table': {
      const { traceTable } = await import('../../../trace/show/traceTable.ts');
      writeOut([traceTable(result, names)]);
      return;
    }
    case 'mermaid':
    case 'dot': {
      const { traceGraph } = await import('../../../trace/show/traceGraph.ts');
      writeOut([traceGraph(result, output)]);
      return;
    }
    case 'text': {
      const { traceText } = await import('../../../trace/show/traceText.ts');
      writeOut([traceText(result, names, { isVerbose: verbose, answer: read.answer, topology: read.topology })]);
    }
  }
}

async function exitCodeOf(
  result: TraceResult,
  why: Why,
  { expect = [] }: TraceFlags,
  messages: Messages,
): Promise<number> {
  const { outcomes } = result;
  const { readExpectation } = await import('../../../trace/question/expectation.ts');
  let hasFailed = false;
  for (const text of expect) {
    const expectation = readExpectation(text);
    if (expectation === undefined)
      return refuseOption(messages, 'trace', `--expect ${text}: not something that can be expected; see --help`);
    const failed = outcomes.filter((outcome) => !expectation.holds(outcome)).length;
    if (failed === 0) continue;
    hasFailed = true;
    messages.report({
      code: 'expectation-failed',
      severity: 'error',
      message: `--expect ${text} does not hold of ${failed} of ${outcomes.length} ways`,
      at: [],
    });
  }
  if (expect.length > 0) return hasFailed ? exitCodes.differs : exitCodes.ok;
  return traceCode(result, why);
}

const examples = `
Examples:
  k8snet trace node1/ --from 10.244.1.7 --to 10.96.0.10:53 --proto udp
  k8snet trace -f cluster.yaml --node n1 --from shop/web-1 --to shop/db:5432
  k8snet trace node1/ -f cluster.yaml --from outside --to node:30080
  k8snet trace node1/ --from node --to 10.96.0.1:443 -o json
  k8snet trace node1/ --from 10.244.1.7 --to 10.96.0.10:80 --seen 10.244.1.7=KUBE-SEP-X@10m     affinity
  k8snet trace node1/ --from 10.244.1.7 --to 10.96.0.10:80 --count 600
  k8snet trace node1/ --from outside --to node:30080 --expect answered --expect to=10.244.0.0/16
  k8snet trace node1/ --batch packets.jsonl -o json
  nft monitor trace > seen.txt; k8snet trace node1/ --events seen.txt
  k8snet trace node1/ --events kern.log --from outside --to node:30080     where kernel and walk differ

To take the steps one by one in a browser: k8snet page -f cluster.yaml node1/ -o node1.html

--expect takes: arrives, answered, leaves, delivered, dropped, rejected, unroutable, to=ADDR[:PORT], source=ADDR, out=IFACE,
reject=KIND; several values with commas between them, ADDR also as a network, ! in front for the opposite.

Facts of the node (addresses, routes, sysctls, bridge ports, sets) are read from the folder that collect filled; whatever is
not given is assumed to be as on most nodes, and named where the packet's path depends on it.

Exit status: 0 it arrives on every path (or every --expect holds; with --events: kernel and walk agree), 1 it does not, 2 bad usage or input, 3 what decides was not given, 70 a bug of k8snet.
`;
