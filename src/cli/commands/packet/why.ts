import { Command } from 'commander';
import type { ExplainedDifference } from '../../../behaviour/outcome/wayDifferenceText.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { isUrl } from '../../../common/text/isUrl.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { readingNotes } from '../../../node/lines/readingNotes.ts';
import { type NodeTracer, openTracer } from '../../../public/core.ts';
import { fixOf } from '../../../report/fixOf.ts';
import type { TraceResult } from '../../../trace/traceResult.ts';
import type { TraceConditions } from '../../../trace/tracer.ts';
import { addWalkOptions, readWalkNode, type WalkFlags, type WalkNode } from '../../dumps/readWalkNode.ts';
import { reportUnreadNodes } from '../../dumps/reportUnreadNodes.ts';
import { walkMessages } from '../../dumps/walkMessages.ts';
import { addMessageOptions, formOption, type MessageOptions } from '../../options/commonOptions.ts';
import { addPacketOptions, type PacketFlags, readConditions } from '../../options/packetOptions.ts';
import { refuseOption } from '../../options/refuseOption.ts';
import { lackOfEnds } from '../../words/lackOfEnds.ts';
import { endRefused, urlTarget } from '../../words/urlTarget.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { Messages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { verdictCode } from '../../write/verdictCode.ts';
import { writeOut } from '../../write/writeOut.ts';

interface WhyFlags extends WalkFlags, PacketFlags, MessageOptions {
  readonly output: 'text' | 'json';
  /** How a URL was resolved to `from` and `to`. */
  readonly said?: readonly string[];
}

/** `k8snet why`: why a connection fails. */
export function whyCommand(setExitCode: SetExitCode): Command {
  const command = new Command('why')
    .summary('say why somebody cannot be reached')
    .description(
      "Walks the packet as trace does, and says in one sentence why it does not arrive, or why its answer does not come back, with the rule or fact that decides, and what to do. Further causes follow. With a dump and manifests (-f) it also says where the node's rules treat the packet differently than they should.",
    )
    .argument(
      '[dump...]',
      'files or folders of one node, also one that collect filled (- for standard input); sender and receiver may stand beside them instead of --from and --to',
    );
  addPacketOptions(command);
  addWalkOptions(command);
  command.addOption(formOption('text', 'json'));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: WhyFlags) => {
    setExitCode(await whyAction(dumps, options));
  });
}

async function whyAction(paths: readonly string[], asked: WhyFlags): Promise<number> {
  const messages = walkMessages(asked);
  const url = isUrl(asked.to) ? await urlTarget(asked, messages) : undefined;
  if (url !== undefined && 'kind' in url) return endRefused(url, 'why', messages);
  const options = url === undefined ? asked : { ...asked, ...url };
  const purpose = options.filename === undefined ? 'questions' : 'search';
  const read = await readWalkNode(paths, options, messages, paths.length > 0, { purpose });
  if (read === undefined) return exitCodes.badInput;
  reportUnreadNodes(paths, options, messages.report);
  const code = await answer(paths, read, options, messages);
  await messages.flush(read.sources);
  return code;
}

async function answer(
  paths: readonly string[],
  read: WalkNode,
  options: WhyFlags,
  messages: Messages,
): Promise<number> {
  const { node, objects } = read;
  const { from, to } = options;
  if (from === undefined || to === undefined) return refuseOption(messages, 'why', lackOfEnds(options));
  const conditions = await readConditions(options);
  if (typeof conditions === 'string') return refuseOption(messages, 'why', conditions);
  const [{ whyCauses }, { whyJson, whyText }] = await Promise.all([
    import('../../../why/whyCauses.ts'),
    import('../../../why/whyText.ts'),
  ]);
  const tracer = await openTracer({ rules: node, objects });
  const result = tracer.trace({ ...options, from, to }, conditions);
  if ('kind' in result) return refuseOption(messages, 'why', result.message);
  const { family } = result.packet;
  const why = whyCauses(result, tracer.tracerOf(family).input, tracer.known({ ...options, from, to }, result));
  const differs = paths.length === 0 ? undefined : await differenceOf(read, tracer, result, conditions, options);
  if (options.output === 'json') {
    const { traceJson } = await import('../../../trace/show/traceJson.ts');
    for (const line of options.said ?? []) result.notes.notes.add(line);
    const trace = traceJson(result, tracer.endpointNames(family), { notes: readingNotes(node) });
    writeOut(jsonText(whyJson(why, result, trace, differs && shown(differs))));
  } else {
    writeOut([...(options.said ?? []).map((line) => `${escapeText(line)}\n`), whyText(why, result)]);
    if (differs !== undefined) {
      const { wayDifferenceText } = await import('../../../behaviour/outcome/wayDifferenceText.ts');
      writeOut(['\n', wayDifferenceText(differs)]);
    }
  }
  return verdictCode(why);
}

/** Places in manifests are of no use to a program, and changes of rules are what `diff` prints. */
function shown({ findings, ...lines }: ExplainedDifference): object {
  return {
    ...lines,
    findings: findings.map(({ code, severity, service, what, why, fix, found }) => {
      return { id: code, severity, ...(service !== undefined && { service }), seen: what, why, fix, found };
    }),
  };
}

/** Whether the node's rules treat the packet differently than the compiled ones. */
async function differenceOf(
  { node, objects, expected: compiled }: WalkNode,
  found: NodeTracer,
  result: TraceResult,
  conditions: TraceConditions,
  options: WhyFlags,
): Promise<ExplainedDifference | undefined> {
  if (compiled === undefined) return undefined;
  const [{ readExpected }, { wayDifference }] = await Promise.all([
    import('../../dumps/readExpected.ts'),
    import('../../../behaviour/outcome/wayDifference.ts'),
  ]);
  const { family } = result.packet;
  const expected = await readExpected(compiled, node, options);
  if (expected === undefined || !expected.families.includes(family)) return undefined;
  const tracer = await openTracer({ rules: { ...expected.rules, network: node.network }, objects });
  const differs = wayDifference(result, tracer.tracerOf(family), found.tracerOf(family), conditions);
  if (differs === undefined) return undefined;
  const report = await expected.judge();
  const findings = report.findings.filter(differs.isOnWay).map((one) => ({ ...one, fix: fixOf(one, report) }));
  return { expected: differs.expected, found: differs.found, findings };
}

const examples = `
Examples:
  k8snet why node1/ --from 10.244.1.7 --to 10.96.0.10:53 --proto udp
  k8snet why -f cluster.yaml --node n1 --from outside --to shop/web:http      would it work?
  k8snet why node1/ shop/web-1 svc/shop/db:5432 -f cluster.yaml
  k8snet why node1/ -f cluster.yaml --from shop/web-1 --to shop/db:5432 -o json

To look at the same packet step by step in a browser: k8snet page -f cluster.yaml node1/ -o node1.html

Exit status: 0 it arrives and is answered on every path, 1 it is not, 2 bad usage or input, 3 what decides was not given,
70 a bug of k8snet.
`;
