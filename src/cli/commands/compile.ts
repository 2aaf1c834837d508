import { Command } from 'commander';
import { parseCidr } from '../../common/addresses/cidr.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { count } from '../../common/text/count.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Sources } from '../../load/sources.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import type { NodeFiles, NodeFilesOptions } from '../../output/nodeFiles.ts';
import type { DiagnosticCode } from '../../problems/problemCode.ts';
import { type Compiled, compile, rulesOf, toFiles, toText } from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import type { Shard } from '../../report/fleet/fleetReport.ts';
import { failFastOption, jobsOption, shardOption } from '../fleet/fleetOptions.ts';
import { compileNeeds } from '../objects/liveNeeds.ts';
import { readInput } from '../objects/readInput.ts';
import { refuseEmpty } from '../objects/refuseEmpty.ts';
import { annotateNeedsService } from '../options/annotateNeedsService.ts';
import {
  addEmptyOption,
  addInputOptions,
  addMessageOptions,
  type EmptyFlags,
  type InputOptions,
  type MessageOptions,
} from '../options/commonOptions.ts';
import { ignoredCodes } from '../options/ignoredCodes.ts';
import { addPolicyCompileOptions, type PolicyCompileFlags, policySettings } from '../options/policyCompileOptions.ts';
import { type RulesForm, rulesFormOption } from '../options/rulesForm.ts';
import { addTargetOptions, clusterCidr, type TargetFlags } from '../options/targetOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

type CompileFlags = InputOptions &
  TargetFlags &
  PolicyCompileFlags &
  EmptyFlags &
  MessageOptions & {
    readonly output: RulesForm;
    readonly outDir?: string;
    readonly allNodes: boolean;
    readonly jobs?: number;
    readonly shard?: Shard;
    readonly failFast: boolean;
    readonly ignore?: readonly DiagnosticCode[];
    readonly service?: string;
    readonly annotate: boolean;
    readonly masqueradePodCidr?: readonly string[];
  };

/** `k8snet compile`: manifests in, rules out. */
export function compileCommand(setExitCode: SetExitCode): Command {
  const command = new Command('compile')
    .summary('compile manifests to the rules of a node')
    .description(
      'Reads Services, EndpointSlices, Endpoints, Pods and Nodes and prints the rules that kube-proxy of the chosen version and mode would leave on a node, and the rules that enforce NetworkPolicies there. Nothing is contacted without --live, and nothing is changed.',
    );
  addInputOptions(command);
  addTargetOptions(command);
  addPolicyCompileOptions(command);
  command
    .addOption(rulesFormOption())
    .option('--out-dir <dir>', 'write all files of both families into this folder instead')
    .option(
      '--masquerade-pod-cidr <cidrs>',
      'masquerade Pods of this network, or of one of each family, that talk to the outside, as network plug-ins do',
      podNetworks,
    )
    .option('--ignore <codes>', 'warnings and notes to leave out, by code; can be repeated', ignoredCodes)
    .option('--all-nodes', 'compile for every Node of the input, each into its own folder in --out-dir', false)
    .addOption(
      jobsOption('with --all-nodes: nodes compiled at once (default: as many as pay, at most one a processor)'),
    )
    .addOption(shardOption('with --all-nodes: only every nth Node by name, from number i on, which counts from 0: 0/8'))
    .addOption(failFastOption('with --all-nodes: stop behind the first Node that does not compile'))
    .option('--service <service>', "print one Service's rules (namespace/name[:port]) in the order a packet meets them")
    .option('--annotate', 'with --service: comment each rule with what it does', false);
  addEmptyOption(command, 'write scripts and rules of input without Services, which empty the node');
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (options: CompileFlags) => {
    setExitCode(await compileAction(options));
  });
}

async function compileAction(options: CompileFlags): Promise<number> {
  const messages = collectMessages(options);
  const wrong = serviceProblem(options) ?? fleetProblem(options);
  if (wrong !== undefined) {
    messages.report(wrong);
    await messages.flush();
    return exitCodes.badInput;
  }
  if (options.allNodes) {
    const { compileEveryNode } = await import('../compileEveryNode.ts');
    return compileEveryNode(options, filesOptions(options), messages);
  }
  const { compiled, sources } = await readAndCompile(options, messages);
  if (compiled === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  messages.progress(`${count(compiled.model.servicePorts.length, 'service port')} planned`);
  if (options.service !== undefined) {
    await writeService(compiled, options.service, options, messages);
    await messages.flush(sources);
    return messages.hasErrors() ? exitCodes.badInput : exitCodes.ok;
  }
  const files = await orThrow(toFiles(compiled, filesOptions(options)), messages.report);
  const changesNode = writesWhatLoads(options);
  if (changesNode && !options.allowEmpty) refuseEmpty(compiled, files, messages.report);
  const earlier = earlierPolicies(compiled, files, options);
  if (earlier !== undefined && !messages.hasErrors()) messages.report(earlier);
  if (messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  const { policy } = files;
  if (policy)
    messages.progress(
      () => `policies: ${count(policy.size.rules, 'rule')}, ${count(policy.size.setElements, 'set element')}`,
    );
  if (options.outDir !== undefined) {
    const { writeArtefacts } = await import('../write/writeArtefacts.ts');
    const written = writeArtefacts(options.outDir, files.all, messages.report);
    if (written === undefined) {
      await messages.flush(sources);
      return exitCodes.cannotWrite;
    }
    messages.progress(`${count(written.length, 'file')} written`);
  } else {
    const { output: form, family } = options;
    writeOut(await orThrow(toText(compiled, files, { form, family }), messages.report));
    if (form === 'restore' && modeFacts[compiled.dialect.mode].rulesIn === 'iptables' && !options.policyOnly)
      messages.report(restoreWithoutJumps);
  }
  messages.progress('done');
  await messages.flush(sources);
  return messages.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

function serviceProblem({ annotate, service, allNodes, output, outDir }: CompileFlags): Diagnostic | undefined {
  if (service === undefined) return annotate ? annotateNeedsService : undefined;
  if (!allNodes && outDir === undefined && output === 'save') return undefined;
  const message =
    '--service prints rules as the kernel shows them: it does not go with --output, --out-dir or --all-nodes';
  return { code: 'bad-option', severity: 'error', message, at: [] };
}

function fleetProblem({ allNodes, shard, failFast }: CompileFlags): Diagnostic | undefined {
  if (allNodes || (shard === undefined && !failFast)) return undefined;
  const message = `${shard === undefined ? '--fail-fast' : '--shard'} is about many nodes: give --all-nodes too`;
  return { code: 'bad-option', severity: 'error', message, at: [] };
}

async function writeService(
  compiled: Compiled,
  service: string,
  options: CompileFlags,
  messages: Messages,
): Promise<void> {
  const [rules, { writeServiceRules }] = await Promise.all([
    orThrow(rulesOf(compiled, { hasNfacct: options.nfacct })),
    import('../write/writeServiceRules.ts'),
  ]);
  const given = compiled.model.servicePorts.map(({ namespace, name, portName }) => `${namespace}/${name}:${portName}`);
  const isShown = ({ family }: { readonly family: string }) => options.family === 'both' || options.family === family;
  const node = { ...rules, iptables: rules.iptables.filter(isShown), nft: rules.nft.filter(isShown) };
  const asked = compiled.model.servicePorts.filter(({ namespace, name, portName }) =>
    [`${namespace}/${name}`, `${namespace}/${name}:${portName}`].includes(service),
  );
  const entrances = asked.map(({ protocol, clusterIP, externalIPs, loadBalancerIngress, ...ports }) => ({
    protocol: protocol.toLowerCase(),
    addresses: [clusterIP, ...externalIPs, ...loadBalancerIngress.map(({ ip }) => ip)],
    port: ports.port,
    nodePort: ports.nodePort,
    healthCheckNodePort: ports.healthCheckNodePort,
  }));
  writeServiceRules(node, service, options.annotate, given, messages, {
    entrances,
    withoutRules: compiled.withoutRules,
  });
}

function filesOptions(options: CompileFlags): NodeFilesOptions {
  const masqueradedPods = (options.masqueradePodCidr ?? []).map(parseCidr).filter((cidr) => cidr !== undefined);
  return {
    hasNfacct: options.nfacct,
    masqueradedPods,
    policy: policySettings(options),
    isPolicyOnly: options.policyOnly,
    guardsPolicies: writesWhatLoads(options) ? 'always' : 'whenPrinted',
    allowsLostPolicies: options.allowEmpty,
  };
}

/** A script, or a text that somebody feeds to a tool, in contrast to output that only shows rules. */
function writesWhatLoads({ outDir, output }: CompileFlags): boolean {
  return outDir !== undefined || output === 'script' || output === 'restore';
}

/** What a script made from input without policies does with those of earlier loads. */
function earlierPolicies(
  { policyManifests }: Compiled,
  { removesPolicies }: NodeFiles,
  options: CompileFlags,
): Diagnostic | undefined {
  const { pods, namespaces } = policyManifests;
  const writesScript = options.outDir !== undefined || options.output === 'script';
  const isAbout = policiesGiven(policyManifests) === 0 && pods.length + namespaces.length > 0;
  if (!writesScript || !isAbout || options.policy === 'off') return undefined;
  return removesPolicies ? policiesRemoved : policiesKept;
}

const restoreWithoutJumps: Diagnostic = {
  code: 'restore-without-jumps',
  severity: 'note',
  message:
    'the jumps from PREROUTING, OUTPUT and other built-in chains are not in it: kube-proxy makes them by iptables -I',
  at: [],
  hint: '-o script makes them too; -o save shows them',
};

const policiesKept: Diagnostic = {
  code: 'earlier-policies-kept',
  severity: 'note',
  message: 'the input has no NetworkPolicies: policies that were loaded earlier stay as they are',
  at: [],
  hint: '--policy nftables or --policy iptables removes them',
};

const policiesRemoved: Diagnostic = {
  code: 'earlier-policies-removed',
  severity: 'warning',
  message: 'the input has no NetworkPolicies: the script removes those that were loaded earlier',
  at: [],
  hint: '--policy off leaves them alone',
};

/** A separate function, so nothing refers to the objects while rules are written. */
async function readAndCompile(
  options: CompileFlags,
  messages: Messages,
): Promise<{ compiled: Compiled | undefined; sources: Sources }> {
  const { objects, options: target, sources } = await readInput(options, messages, true, compileNeeds(options));
  return { compiled: await told(compile(objects, target), messages.report), sources };
}

/** One network for each family. */
function podNetworks(text: string): readonly string[] {
  return clusterCidr(text)
    .split(',')
    .map((cidr) => cidr.trim());
}

const examples = `
Examples:
  k8snet compile -f service.yaml
  k8snet compile -f app/ -R --assume-pods -o restore
  k8snet compile -f cluster.yaml --node n1 --mode nftables --family ipv6
  k8snet compile -f cluster.yaml --node n1 --mode ipvs -o ipvsadm-list
  k8snet compile -f cluster.yaml --node n1 --service shop/web:http --annotate
  k8snet compile -f cluster.yaml --node n1 --out-dir rules/
  k8snet compile -f cluster.yaml --node n1 -o script | ssh n1 sudo sh
  k8snet compile -f cluster.yaml --all-nodes --out-dir rules/
  k8snet compile -f cluster.yaml --all-nodes --out-dir rules/ --shard 0/2    every second Node: the others on another machine
  k8snet compile -f policies.yaml -f pods.yaml --node n1 --policy nftables -o restore | ssh n1 sudo nft -f -
  kubectl get svc,endpointslices,nodes -A -o json | k8snet compile -f - --node n1 --kube-version 1.27

To read the rules in a browser, each beside the line that it comes from: k8snet page -f cluster.yaml --node n1 -o cluster.html

Exit status: 0 done, 2 bad usage or input (nothing is written), 70 a bug of k8snet, 74 the output cannot be
written.
`;
