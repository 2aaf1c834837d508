import { Command, InvalidArgumentError, Option } from 'commander';
import { count } from '../../common/text/count.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { lookAgain } from '../../live/lookAgain.ts';
import { noSources } from '../../load/noSources.ts';
import { behaviourInput } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import { type ComparedBehaviour, type ExpectedSide, readEntrances } from '../diffBehaviour.ts';
import { diffWithManifests, readAndCompile } from '../diffWithManifests.ts';
import { diffWithoutManifests } from '../diffWithoutManifests.ts';
import { answerOrWatch } from '../dumps/answerOrWatch.ts';
import { nodesNamed, orAllNodes } from '../dumps/nodeWords.ts';
import { readNodeDump } from '../dumps/readNodeDump.ts';
import { fleetOf } from '../fleet/fleetOf.ts';
import { addFleetOptions, nodesText } from '../fleet/fleetOptions.ts';
import type { ReadAhead } from '../long/readAhead.ts';
import { changingServices } from '../objects/changingServices.ts';
import { rulesNeeds } from '../objects/liveNeeds.ts';
import { addManifestOptions, addMessageOptions, collect, limitOption } from '../options/commonOptions.ts';
import type { DiffFlags } from '../options/diffFlags.ts';
import { addFactOptions, factFiles } from '../options/factOptions.ts';
import { addNodeOptions } from '../options/liveOptions.ts';
import { endMisused } from '../options/refuseOption.ts';
import { addReportOptions } from '../options/reportOptions.ts';
import { addTargetOptions } from '../options/targetOptions.ts';
import { addWatchOptions } from '../watch/watchOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';

/**
 * `k8snet diff`: compares what should be on a node with what is, or two dumps, or several nodes. `namesTwo`: -f was
 * written twice, which without a dump means before and after.
 */
export function diffCommand(setExitCode: SetExitCode, ahead: ReadAhead, namesTwo: boolean): Command {
  const command = new Command('diff')
    .summary('compare the rules of a node with what should be there')
    .description(
      'Reads dumps of a node (iptables-save, ipset save, ipvsadm -Sn, nft list ruleset; whole, in parts or pasted) and compares them with what manifests compile to, or with other dumps. Differences are grouped by Service, with cause and fix.',
    )
    .argument(
      '[dump...]',
      'files or folders of one node, also one that collect filled (- for standard input); with -f also a folder, an archive or files of many nodes; without -f two dumps to compare; with -f OLD -f NEW none, to see what an edit of manifests changes; with --live node/NAME or nodes of the cluster, which is the default',
    );
  addManifestOptions(command)
    .addOption(
      new Option(
        '--compare <level>',
        'what counts: every byte, the text, the rules, rules under any chain name, or what they do to packets',
      )
        .choices(['bytes', 'text', 'rules', 'roles', 'behaviour'])
        .default('rules'),
    )
    .option('--service <service>', 'only this Service: namespace/name')
    .option('--foreign', 'compare the chains of other programs too', false)
    .option('--nodes', `without -f: find the odd node among dumps; with -f: ${nodesText}`, false);
  addFleetOptions(command, { hasNodes: true });
  addWatchOptions(addNodeOptions(command));
  addBehaviourOptions(command);
  addFactOptions(command);
  addTargetOptions(command);
  addReportOptions(command);
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: DiffFlags) => {
    const isLive = options.live !== undefined;
    const [before, after] = options.filename ?? [];
    if (dumps.length === 0 && namesTwo && !isLive && before !== undefined && after !== undefined)
      return setExitCode(await editAction([before, after], options));
    if (dumps.length === 0 && !isLive) command.error("error: missing required argument 'dump'");
    // Packets are compared on one node.
    const words = options.compare === 'behaviour' ? dumps : orAllNodes(dumps, options);
    return setExitCode(await diffAction(words, options, ahead));
  });
}

async function editAction(sides: readonly [string, string], options: DiffFlags): Promise<number> {
  const { diffEdit } = await import('../diffEdit.ts');
  return diffEdit(sides, options, collectMessages(options));
}

/** Options that only count with `--compare behaviour`. */
function addBehaviourOptions(command: Command): void {
  command
    .option('--facts <file>', 'behaviour: interfaces, routes, sysctls and Pods as k8snet.facts/v1', collect)
    .option('--facts-b <file>', 'behaviour: facts of the second side (default: those of --facts)', collect)
    .option('--entrance <kinds>', 'behaviour: only these senders: pod,outside,node …; can be repeated', readEntrances)
    .addOption(limitOption('behaviour: show this many differences; all are counted'))
    .option('--tolerance <share>', 'behaviour: differences of shares that count as none (default: 0.0001)', shareOf)
    .addOption(
      new Option('--state <state>', 'behaviour: new connections, or those that stand already')
        .choices(['new', 'established'])
        .default('new'),
    );
}

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share < 1) return share;
  throw new InvalidArgumentError('give a share between 0 and 1');
}

async function diffAction(paths: readonly string[], options: DiffFlags, ahead: ReadAhead): Promise<number> {
  const messages = collectMessages(options);
  if (options.compare === 'behaviour') return behaviourAction(paths, options, messages);
  const { filename } = options;
  // With --nodes and without files, --live only says where the nodes are.
  const isOfNodes = options.nodes && filename?.length === 0;
  if (filename !== undefined && !isOfNodes) {
    if (isPartOfNode(options)) {
      const message =
        '-n reads the Services of one namespace, and the node has rules of all: name one with --service too';
      return endMisused(messages, 'diff', message);
    }
    const fleet = await fleetOf('diff', paths, options, messages);
    if (fleet.kind === 'refused') return fleet.code;
    if (fleet.kind === 'many') {
      const { runFleet } = await import('../fleet/runFleet.ts');
      return runFleet({ name: 'diff', options: { ...options, filename } }, fleet.paths);
    }
    const answer = (words: readonly string[], own: DiffFlags, said: Messages) =>
      diffWithManifests(words, filename, own, said);
    return answerOrWatch({ name: 'diff', words: paths, options, needs: rulesNeeds(options), answer });
  }
  return diffWithoutManifests(paths, options, messages, ahead);
}

/** Services that are not read would look left over. */
function isPartOfNode({ live, service }: DiffFlags): boolean {
  const { namespace } = live ?? {};
  return namespace !== undefined && !service?.startsWith(`${namespace}/`);
}

async function behaviourAction(paths: readonly string[], options: DiffFlags, messages: Messages): Promise<number> {
  const { diffBehaviour, differs, misuseOfBehaviour, printBehaviour, withoutChanging } = await import(
    '../diffBehaviour.ts'
  );
  const wrong = misuseOfBehaviour(paths, options.filename !== undefined, options);
  if (wrong !== undefined) return endMisused(messages, 'diff', wrong);
  const look = async (own: DiffFlags, said: Messages) => {
    const { filename, live } = own;
    const nodes = nodesNamed(paths);
    if (live !== undefined && nodes.length > 0) await live.readTogether(nodes, rulesNeeds(own));
    const expected = filename === undefined ? undefined : await expectedSide(paths, filename, own, said);
    const isReady = filename === undefined || expected !== undefined;
    const found = isReady ? await diffBehaviour(paths, expected, own, said) : undefined;
    const judged = found && withoutChanging(found, changingServices(own, expected?.snapshot), said.report);
    return { found: judged, said, sources: expected?.sources ?? noSources };
  };
  // Rules lag behind objects: what differs in a cluster must do so in later looks, too.
  const isFault = ({ found }: { readonly found: ComparedBehaviour | undefined }) =>
    found !== undefined && differs(found.comparison);
  const { found, said, sources } = await lookAgain(
    await look(options, messages),
    options.live,
    isFault,
    async (live) => {
      const again = await look({ ...options, live, liveNodes: live }, messages.again());
      return again.found === undefined ? undefined : again;
    },
  );
  const code = found === undefined ? exitCodes.badInput : await printBehaviour(found, options);
  await said.flush(sources);
  return code;
}

/** The compiled rules, in the requested mode or the one that the dump shows. */
async function expectedSide(
  paths: readonly string[],
  filename: readonly string[],
  options: DiffFlags,
  messages: Messages,
): Promise<ExpectedSide | undefined> {
  const dump = await readNodeDump(paths, { ...options, facts: factFiles(options), isCompared: false }, messages);
  const { expected, sources, snapshot } = await readAndCompile(filename, options, { dump }, messages);
  if (dump === undefined || expected === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return undefined;
  }
  if (expected.leftOut.length > 0) {
    const { leftOutOfDump } = await import('../../diff/settle/compileForDump.ts');
    messages.report({ code: 'dump-note', severity: 'note', message: leftOutOfDump(expected.leftOut), at: [] });
  }
  const [{ compiledAsDumped }, { deducedVersionNote }, { foreignRules }, { holdsPolicyRules }] = await Promise.all([
    import('../../diff/settle/compiledAsDumped.ts'),
    import('../../diff/settle/deducedVersionNote.ts'),
    import('../../import/foreignRules.ts'),
    import('../../node/programs/policyPrograms.ts'),
  ]);
  const compiled = compiledAsDumped(expected);
  const note = deducedVersionNote(compiled);
  const own = await orThrow(behaviourInput(compiled, { hasNfacct: options.nfacct, like: dump, beside: expected.dump }));
  for (const message of [...(note === undefined ? [] : [note]), ...(own?.notCompared ?? [])]) {
    messages.report({ code: 'dump-note', severity: 'note', message, at: [] });
  }
  const foreign = foreignRules(expected.dump);
  if (foreign > 0) messages.report(countOnBothSides(foreign, holdsPolicyRules(expected.dump)));
  return {
    name: 'manifests',
    ...own,
    dump: expected.dump,
    sources,
    snapshot,
  };
}

/** Else everything that a network plugin or Docker does would differ, on every node. */
function countOnBothSides(foreign: number, enforcePolicies: boolean): Diagnostic {
  const policies = '; k8snet diff without --compare compares those of NetworkPolicies with the policies';
  return {
    code: 'foreign-rules',
    severity: 'note',
    message: `${count(foreign, 'rule')} of other programs ${foreign === 1 ? 'counts' : 'count'} on both sides, as on the node: no difference comes from ${foreign === 1 ? 'it' : 'them'}`,
    hint: `k8snet doctor and k8snet check-service tell whether ${foreign === 1 ? 'it stops' : 'they stop'} packets to Services${enforcePolicies ? policies : ''}`,
    at: [],
  };
}

const examples = `
Examples:
  k8snet diff -f cluster.yaml --node n1 node1.save
  k8snet diff -f cluster.yaml --node n1 --kube-version 1.27 node1/       a folder with all dumps of a node
  ssh n1 sudo iptables-save | k8snet diff -f cluster.yaml --node n1 -
  k8snet diff -f cluster.yaml --service shop/web node1.save -o json
  ssh n1 sudo conntrack -L -p udp | k8snet diff -f cluster.yaml --node n1 node1.save --conntrack -
  k8snet diff before.save after.save
  k8snet diff -f before.yaml -f after.yaml                          what an edit of manifests changes on a node
  k8snet diff --live                                                all nodes of the cluster: what is wrong, and where
  k8snet diff --live nodes --watch                                  what begins and what ends, one line each
  k8snet diff --nodes n1.save n2.save n3.save
  k8snet diff -f cluster.yaml nodes/                                many nodes: a folder or a file of each
  k8snet diff -f cluster.yaml nodes/*.save --node-name 'dump-{node}.save' -o json
  k8snet diff -f snap/cluster snap/ --shard 3/8 -o json             a part of the nodes; k8snet report merge puts parts together
  k8snet diff --compare behaviour before.save after.save            what they do, whatever they say
  k8snet diff --compare behaviour -f cluster.yaml --mode nftables node1/     what another mode would do

To look at the differences beside rules and manifests in a browser: k8snet page -f cluster.yaml node1/ -o node1.html

An empty file of ipset, ipvsadm or kube-ipvs0 (told by its name: ipset.save, ipvsadm.txt, addr.txt) says that the node has
none: in IPVS mode all that should be there is missing.

Exit status: 0 nothing differs, 1 something does, 2 bad usage or input (of many nodes: also where one of them could not be
judged; the others are), 3 not decided: the dump lost lines, or what decides was not given (--compare behaviour), 5 the cluster
or a node could not be read, 70 a bug of k8snet.
`;
