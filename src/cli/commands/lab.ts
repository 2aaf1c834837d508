import { Command, InvalidArgumentError, Option } from 'commander';
import { isExecutable } from '../../common/embedded.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { jsonText } from '../../common/text/jsonText.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { LabNeed } from '../../lab/missingNeeds.ts';
import type { PodNetwork } from '../../lab/network/labNetworkOf.ts';
import type { AskedProbe, AskedProtocol } from '../../lab/probes/askedProbes.ts';
import type { LabRequest } from '../../lab/runLab.ts';
import { readOtherPolicy } from '../../model/policyModel.ts';
import { checkObjects, endpointHomes } from '../../public/core.ts';
import { told } from '../../public/result.ts';
import { rulesNeeds, withPods } from '../objects/liveNeeds.ts';
import { type ReadInput, readInput } from '../objects/readInput.ts';
import type { LabNodeRules } from '../objects/readLabNodes.ts';
import {
  addInputOptions,
  addMessageOptions,
  collect,
  formOption,
  type InputOptions,
  type MessageOptions,
} from '../options/commonOptions.ts';
import { addPolicyCompileOptions, type PolicyCompileFlags, policySettings } from '../options/policyCompileOptions.ts';
import { addTargetOptions, integer, type TargetFlags } from '../options/targetOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

type LabFlags = InputOptions &
  TargetFlags &
  PolicyCompileFlags &
  MessageOptions & {
    /** All words of all probes. */
    readonly probe?: readonly string[];
    readonly proto?: AskedProtocol;
    readonly service?: string;
    readonly count: number;
    readonly timeout: number;
    readonly compare: boolean;
    readonly iptables?: 'nft' | 'legacy';
    readonly pods?: 'routed' | 'bridged';
    readonly output: 'text' | 'json';
  };

/** `k8snet lab`: builds the cluster of the manifests from network namespaces, and makes real connections in it. */
export function labCommand(setExitCode: SetExitCode, argv: readonly string[]): Command {
  const command = new Command('lab')
    .summary('try Services with real packets in private network namespaces')
    .description(
      'Builds the nodes and Pods of the manifests, and a host outside, from network namespaces, loads the rules on the nodes and makes real connections: who answers, which source it sees, what is refused and what gets no answer. Rules, addresses and settings of this machine are not touched, and everything is gone when the command ends, however it ends. Needs root, Linux and Perl.',
    );
  addInputOptions(command);
  addLabOptions(command);
  addTargetOptions(command);
  addPolicyCompileOptions(command);
  command.addOption(formOption('text', 'json'));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (options: LabFlags) => {
    setExitCode(await labAction(options, probesIn(argv)));
  });
}

function addLabOptions(command: Command): Command {
  return command
    .option(
      '--probe <from> <to...>',
      'who connects to whom; can be repeated (default: every client to every address of every Service)',
      collect,
    )
    .addOption(
      new Option('--proto <protocol>', "protocol of probes that name none (default: the Service's, else tcp)").choices([
        'tcp',
        'udp',
        'sctp',
        'icmp',
      ]),
    )
    .option('--service <service>', 'show the addresses of this Service only: namespace/name[:port]')
    .option('--count <n>', 'connections of each probe', integer('number', 1, 10_000), 10)
    .option('--timeout <seconds>', 'how long to wait for an answer', seconds, 1)
    .option(
      '--compare',
      'compare what happens with k8snet trace of the same rules, with as many connections as that takes',
      false,
    )
    .addOption(
      new Option(
        '--iptables <variant>',
        'which iptables loads rules (default: the one that is called iptables)',
      ).choices(['nft', 'legacy']),
    )
    .addOption(
      new Option(
        '--pods <wiring>',
        "how Pods are attached to their node (default: as kube-proxy's settings say, else routed)",
      ).choices(['routed', 'bridged']),
    );
}

async function labAction(options: LabFlags, asked: readonly AskedProbe[]): Promise<number> {
  const messages = collectMessages(options);
  const read = await readInput(options, messages, false, withPods(rulesNeeds(options)));
  const { sources } = read;
  const end = async (code: number) => {
    await messages.flush(sources);
    return code;
  };
  const compiled = messages.hasErrors() ? undefined : await compileNodes(read, options, messages);
  if (compiled === undefined || messages.hasErrors()) return end(exitCodes.badInput);
  const { nodes, homes } = compiled;
  const missing = await missingOf(nodes, options);
  if (missing.length > 0) {
    const guest = await guestFor(nodes, options, missing);
    if (guest !== undefined) {
      messages.report(notOnThisKernel(missing));
      await messages.flush(sources);
      return guest();
    }
    messages.report(impossible(missing));
    return end(exitCodes.badInput);
  }
  const { runLab } = await import('../../lab/runLab.ts');
  const answer = await runLab({ homes, ...requestOf(nodes, options, asked) }, messages.progress);
  if (answer.kind === 'problem') {
    messages.report({ code: 'bad-option', severity: 'error', message: answer.message, at: [] });
    return end(exitCodes.badInput);
  }
  await messages.flush(sources);
  const { policyManifests, model } = nodes[0].compiled;
  const { otherPolicies = [] } = policyManifests;
  const { mode } = model.config;
  if (options.output === 'json') {
    const { labJson } = await import('../../lab/probes/labJson.ts');
    writeOut(jsonText(labJson(answer, mode)));
  } else {
    const [{ labText }, { othersText }] = await Promise.all([
      import('../../lab/probes/labText.ts'),
      import('../../model/othersText.ts'),
    ]);
    const first = othersText(otherPolicies.map(readOtherPolicy));
    writeOut([...(first === undefined ? [] : [`${first}\n\n`]), labText(answer)]);
  }
  const agrees = answer.results.every(({ compared }) => (compared?.problems ?? []).length === 0);
  if (!agrees) return exitCodes.differs;
  return otherPolicies.length > 0 ? exitCodes.undecided : exitCodes.ok;
}

type Nodes = LabRequest['nodes'] & readonly LabNodeRules[];

async function compileNodes(
  { objects, options: target }: ReadInput,
  options: LabFlags,
  messages: Messages,
): Promise<(Pick<LabRequest, 'homes'> & { readonly nodes: Nodes }) | undefined> {
  const { readLabNodes } = await import('../objects/readLabNodes.ts');
  const checked = await told(checkObjects(objects, target), messages.report);
  if (checked === undefined) return undefined;
  const files = { hasNfacct: options.nfacct, policy: policySettings(options), isPolicyOnly: options.policyOnly };
  const homes = await endpointHomes(checked);
  const nodes = await readLabNodes(checked, options, files, homes, messages.report);
  if (nodes?.some(({ compiled }) => modeFacts[compiled.model.config.mode].passesThroughProxy)) {
    messages.report(noProgram);
    return undefined;
  }
  return nodes?.[0] === undefined ? undefined : { nodes: [nodes[0], ...nodes.slice(1)], homes };
}

const noProgram: Diagnostic = {
  code: 'bad-option',
  severity: 'error',
  message: 'userspace mode cannot be tried: in it kube-proxy itself passes on every connection',
  at: [],
};

/** What the machine lacks for these rules, in words. */
async function missingOf(nodes: Nodes, options: LabFlags): Promise<readonly string[]> {
  if (process.platform !== 'linux') return ['Linux'];
  const { missingNeeds } = await import('../../lab/missingNeeds.ts');
  const iptables: LabNeed = options.iptables === undefined ? 'iptables' : `iptables-${options.iptables}`;
  const [{ compiled }] = nodes;
  const byMode: Readonly<Record<string, readonly LabNeed[]>> = {
    iptables: [iptables],
    nftables: ['nft'],
    ipvs: [iptables, 'ipset', 'ipvs'],
  };
  const needs = new Set<LabNeed>(byMode[compiled.model.config.mode] ?? []);
  for (const { policies } of nodes) {
    if (policies === 'nftables') needs.add('nft');
    if (policies === 'iptables') needs.add(iptables).add('ipset');
  }
  if (networkOf(nodes, options).podNetwork === 'bridged') needs.add('bridge-netfilter');
  return missingNeeds([...needs]);
}

function networkOf([{ compiled }]: Nodes, { pods }: LabFlags): PodNetwork {
  const { detectLocal } = compiled.model.config;
  const isBridged = pods === 'bridged' || (pods === undefined && detectLocal.kind === 'bridgeInterface');
  return {
    podNetwork: isBridged ? 'bridged' : 'routed',
    ...(detectLocal.kind === 'bridgeInterface' && { bridge: detectLocal.name }),
    ...(detectLocal.kind === 'interfaceNamePrefix' && { podInterfacePrefix: detectLocal.prefix }),
  };
}

function requestOf(nodes: Nodes, options: LabFlags, asked: readonly AskedProbe[]): Omit<LabRequest, 'homes'> {
  const { proto, service, count, timeout, compare, iptables } = options;
  return {
    nodes,
    asked,
    protocol: proto,
    service,
    count,
    timeoutMs: timeout * 1000,
    isCompared: compare,
    backend: iptables,
    network: networkOf(nodes, options),
  };
}

function impossible(missing: readonly string[]): Diagnostic {
  const isRoot = process.getuid?.() === 0;
  return {
    code: 'lab-impossible',
    severity: 'error',
    message: isRoot ? `this machine lacks ${missing.join('; ')}` : 'k8snet lab needs root: it makes network namespaces',
    at: [],
    ...(!isRoot && { hint: 'sudo k8snet lab …, or unshare --user --map-root-user k8snet lab …' }),
  };
}

/** Runs IPVS, which few kernels have, in a kernel that has it: user-mode Linux, if it is installed. */
async function guestFor(
  nodes: Nodes,
  { filename }: LabFlags,
  missing: readonly string[],
): Promise<(() => Promise<number>) | undefined> {
  const isIpvs = modeFacts[nodes[0].compiled.model.config.mode].usesIpvs;
  // The kernel's tools are files, which an executable does not have.
  if (isExecutable || !isIpvs || process.getuid?.() !== 0 || process.env[inGuest] !== undefined) return undefined;
  const { missingNeeds } = await import('../../lab/missingNeeds.ts');
  if (missingNeeds(['uml']).length > 0 || missing.length !== 1) return undefined;
  const { runLabInUml } = await import('../../lab/runLabInUml.ts');
  const words = [...process.execArgv, ...process.argv.slice(1)];
  return () => runLabInUml([process.execPath, ...words], { [inGuest]: '1' }, filename.includes('-'));
}

/** Set if the command already runs in a guest. */
const inGuest = 'K8SNET_LAB_GUEST';

function notOnThisKernel(missing: readonly string[]): Diagnostic {
  return {
    code: 'lab-in-guest',
    severity: 'note',
    message: `this machine lacks ${missing.join('; ')}: the lab runs in user-mode Linux, which takes a while`,
    at: [],
  };
}

/**
 * The words after each `--probe`, up to the next option: for an option that takes several words and occurs several
 * times, commander gives all words in one list.
 */
function probesIn(argv: readonly string[]): readonly AskedProbe[] {
  return argv.flatMap((word, at) => {
    const joined = word.startsWith('--probe=') ? [word.slice('--probe='.length)] : undefined;
    if (word !== '--probe' && joined === undefined) return [];
    const rest = argv.slice(at + 1);
    const end = rest.findIndex((each) => each.startsWith('-'));
    const [from = '', ...to] = joined ?? rest.slice(0, end === -1 ? rest.length : end);
    return [{ from, to }];
  });
}

function seconds(text: string): number {
  const value = Number(/^(\d+(?:\.\d+)?)s?$/.exec(text)?.[1]);
  if (!(value >= 0.1 && value <= 60)) throw new InvalidArgumentError('A time from 0.1 to 60 seconds.');
  return value;
}

const examples = `
Examples:
  sudo k8snet lab -f cluster.yaml --node n1
  sudo k8snet lab -f cluster.yaml --node n1 --mode nftables --service shop/web
  sudo k8snet lab -f cluster.yaml --probe outside 192.168.10.1:30080 --probe shop/client shop/web:http shop/db:5432
  sudo k8snet lab -f cluster.yaml --probe pod/n2 10.96.0.10:53/udp --count 100
  sudo k8snet lab -f cluster.yaml -f policies.yaml --policy nftables --probe shop/web-1 shop/db-0:5432
  sudo k8snet lab -f cluster.yaml --compare -o json
  unshare --user --map-root-user k8snet lab -f cluster.yaml      as an ordinary user

FROM is pod (a Pod of the node that the lab makes up), pod/NODE, node (a process of the node), node/NAME, outside, a Pod
(namespace/name) or an address; TO is ADDR:PORT, a Service (namespace/name[:PORT]), a Pod or node:PORT, each with /tcp, /udp,
/sctp or /icmp where that is not obvious. Without --node every Node gets its rules.

Exit status: 0 done (with --compare: kernel and walk agree), 1 they do not agree, 2 bad usage or input, or this machine cannot
do it, 3 policies of other kinds decide too, which the lab does not load, 70 a bug of k8snet, 74 the output cannot be written.
`;
