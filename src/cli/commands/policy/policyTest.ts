import { Command } from 'commander';
import { count } from '../../../common/text/count.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { jsonText } from '../../../common/text/jsonText.ts';
import { load } from '../../../load/files/load.ts';
import type { PortSpec } from '../../../policy/portSpec.ts';
import type { FlowCheck, TestOutcome } from '../../../policy/testPolicy.ts';
import { sideJson } from '../../../policy/text/sideJson.ts';
import { judge, judgeAll } from '../../../public/core.ts';
import { told } from '../../../public/result.ts';
import { policyNeeds } from '../../objects/liveNeeds.ts';
import { withCluster } from '../../objects/withCluster.ts';
import {
  type AssumeFlags,
  addAssumeOptions,
  addEmptyLabelsOption,
  assumeOptions,
} from '../../options/assumeOptions.ts';
import {
  addInputOptions,
  addMessageOptions,
  familyOption,
  formOption,
  type InputOptions,
  type MessageOptions,
  type ValidateFlags,
  validateOption,
} from '../../options/commonOptions.ts';
import { addPortOptions } from '../../options/portOption.ts';
import { addVerdictOptions, type VerdictFlags } from '../../options/verdictOptions.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { writeOut } from '../../write/writeOut.ts';

type TestOptions = InputOptions &
  MessageOptions &
  ValidateFlags &
  AssumeFlags &
  VerdictFlags & {
    readonly from?: string;
    readonly to?: string;
    readonly batch?: string;
    readonly port?: PortSpec;
    readonly family: 'ipv4' | 'ipv6' | 'both';
    readonly output: 'text' | 'json';
    readonly conntrackHints: boolean;
  };

/** `k8snet policy test`: whether one party may connect to another, and which rule decides. */
export function policyTestCommand(setExitCode: SetExitCode): Command {
  const command = new Command('test')
    .summary('say whether a connection is allowed, and by which rule')
    .description(
      'Judges connections by the NetworkPolicies and cluster-wide policies of the manifests. Pods are namespace/name, or deploy/namespace/name (also sts, ds, job) for a Pod of a workload; Services are svc/namespace/name, nodes node/NAME, anything else an address, or external. Without --port the open ports are listed. What kube-proxy refuses or drops (a Service without endpoints, a Local policy, source ranges) is said too.',
    )
    .option('--from <who>', 'who connects')
    .option('--to <whom>', 'to whom')
    .option('--batch <file>', 'many connections, a line each: FROM TO [PORT]; - for standard input')
    .addOption(familyOption())
    .addOption(formOption('text', 'json'))
    .option(
      '--conntrack-hints',
      'for denied connections, print the commands that cut those that are open already',
      false,
    );
  addPortOptions(
    command,
    'port and protocol: 80, 53/udp, http/tcp, icmp',
    'protocol, where the port has none (default: tcp)',
  );
  addEmptyLabelsOption(addAssumeOptions(addVerdictOptions(addInputOptions(command))));
  addMessageOptions(command.addOption(validateOption()));
  return command.addHelpText('after', examples).action(async (options: TestOptions) => {
    const { from, to, batch, port } = options;
    const isBatch = batch !== undefined;
    if (isBatch && (from !== undefined || to !== undefined || port !== undefined)) {
      command.error('error: --batch has its own --from, --to and --port on every line');
    }
    if (isBatch) return setExitCode(await batchAction(options, batch));
    if (from === undefined) return missing(command, '--from <who>');
    if (to === undefined) return missing(command, '--to <whom>');
    setExitCode(await testAction({ ...options, from, to }));
  });
}

function missing(command: Command, option: string): void {
  command.error(`error: required option '${option}' not specified`, { code: 'commander.missingMandatoryOptionValue' });
}

/** A word a line, in the order of the file. */
async function batchAction(options: TestOptions, path: string): Promise<number> {
  const messages = collectMessages(options);
  const { batchExit, batchWord, readBatch, reportBatch } = await import('../../words/policyBatch.ts');
  const lines = readBatch(path, options.family === 'both' ? undefined : options.family, messages);
  const { objects, sources } = await load(options.filename, { recursive: options.recursive }, messages.report);
  messages.progress(`${count(objects.length, 'object')} read`);
  const { hairpin, icmp, validate: unknownFields } = options;
  const requests = (lines ?? []).map(({ request }) => request);
  const judging = { hairpin, icmp, unknownFields, ...assumeOptions(options) };
  const outcomes = messages.hasErrors() ? undefined : await told(judgeAll(objects, requests, judging), messages.report);
  if (lines === undefined || outcomes === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  const { othersText } = await import('../../../model/othersText.ts');
  const checks = outcomes.flatMap((outcome) => (outcome?.kind === 'checked' ? outcome.checks : []));
  const others = [...new Set(checks.flatMap((check) => check.others))];
  const first = othersText(others);
  const answers = lines.map(({ line, text }, at) => ({ line, flow: text, verdict: batchWord(outcomes[at]) }));
  writeOut(
    options.output === 'json'
      ? jsonText({
          schema: 'k8snet.policy-batch/v1',
          ...(others.length > 0 && { otherPolicies: others }),
          flows: answers,
        })
      : [
          ...(first === undefined ? [] : [`${first}\n`]),
          ...answers.map(({ flow, verdict }) => `${verdict.padEnd(8)}${escapeText(flow)}\n`),
        ],
  );
  reportBatch(path, lines, outcomes, messages);
  await messages.flush(sources);
  return batchExit(outcomes);
}

async function testAction(options: TestOptions & { readonly from: string; readonly to: string }): Promise<number> {
  const messages = collectMessages(options);
  const files = await load(options.filename, { recursive: options.recursive }, messages.report);
  const { objects, sources } = await withCluster(files, options, policyNeeds, messages);
  messages.progress(`${count(objects.length, 'object')} read`);
  const family = options.family === 'both' ? undefined : options.family;
  const { from, to, port, hairpin, icmp, validate: unknownFields } = options;
  const outcome = await told(
    judge(
      objects,
      { from, to, port, family },
      {
        hairpin,
        icmp,
        unknownFields,
        ...assumeOptions(options),
      },
    ),
    messages.report,
  );
  if (outcome === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  const [{ checkText }, { othersText }, { conntrackHints }] = await Promise.all([
    import('../../../policy/text/verdictText.ts'),
    import('../../../model/othersText.ts'),
    import('../../../policy/text/conntrackHints.ts'),
  ]);
  if (outcome.kind === 'unanswerable') {
    messages.report({ code: 'policy-test-unanswerable', severity: 'error', message: outcome.message, at: [] });
  } else if (options.output === 'json') {
    const hints = options.conntrackHints ? { conntrack: conntrackHints(outcome.checks) } : {};
    writeOut(jsonText({ ...jsonForm(outcome), ...hints }));
  } else {
    const hints = options.conntrackHints ? conntrackHints(outcome.checks) : [];
    const first = othersText([...new Set(outcome.checks.flatMap(({ others }) => others))]);
    writeOut([
      ...(first === undefined ? [] : [`${first}\n`]),
      ...outcome.checks.map(checkText),
      ...hints.map((command) => `${command}\n`),
    ]);
  }
  await messages.flush(sources);
  if (outcome.kind === 'unanswerable') return exitCodes.badInput;
  if (outcome.isUnknown) return exitCodes.undecided;
  return outcome.isAllowed ? exitCodes.ok : exitCodes.differs;
}

function jsonForm({ checks, isAllowed, isUnknown }: Extract<TestOutcome, { kind: 'checked' }>): object {
  const party = ({ ip, pods, node }: FlowCheck['from']) => ({ ip, pods: pods.map(({ id }) => id), node: node?.name });
  return {
    schema: 'k8snet.policy-test/v1',
    allowed: isAllowed,
    verdict: wordOf({ isAllowed, isUnknown }),
    checks: checks.map((check) => ({
      family: check.family,
      from: party(check.from),
      to: party(check.to),
      via: check.via,
      protocol: check.flow?.protocol,
      port: check.flow?.port,
      verdict: check.end?.kind ?? wordOf(check),
      ...(check.others.length > 0 && { otherPolicies: check.others }),
      reason: check.end?.why,
      seenFrom: check.flow && party(check.flow.from),
      allowed: check.isAllowed,
      open: check.open,
      egress: check.verdict && sideJson('egress', check.verdict.egress),
      ingress: check.verdict && sideJson('ingress', check.verdict.ingress),
    })),
  };
}

function wordOf({
  isAllowed,
  isUnknown,
}: Pick<FlowCheck, 'isAllowed' | 'isUnknown'>): 'allowed' | 'denied' | 'unknown' {
  return isUnknown ? 'unknown' : isAllowed ? 'allowed' : 'denied';
}

const examples = `
Examples:
  k8snet policy test -f cluster.yaml --from shop/web --to shop/db --port 5432
  k8snet policy test -f cluster.yaml --from external --to svc/shop/web --port 80
  k8snet policy test -f cluster.yaml --from shop/web --to 10.0.0.8
  k8snet policy test -f app/ -R --assume-pods --from deploy/shop/web --to svc/shop/db
  k8snet policy test -f cluster.yaml --batch flows.txt

With --batch, each line of the file is FROM TO [PORT], and each line of the answer a word and the flow; a # begins a comment.

Exit status: 0 allowed, 1 denied, or refused or dropped by kube-proxy, 2 bad usage or input,
3 unknown: the input lacks what a policy asks about, policies of equal priority disagree, or policies of other
kinds decide too, 70 a bug of k8snet.
`;
