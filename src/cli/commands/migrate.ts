import { Command, Option } from 'commander';
import { jsonText } from '../../common/text/jsonText.ts';
import { migrate } from '../../public/core.ts';
import { told } from '../../public/result.ts';
import { readNodeDump } from '../dumps/readNodeDump.ts';
import { reportReading } from '../dumps/reportReading.ts';
import { reportUnreadNodes } from '../dumps/reportUnreadNodes.ts';
import { fleetOf } from '../fleet/fleetOf.ts';
import { addFleetOptions, type FleetFlags } from '../fleet/fleetOptions.ts';
import { rulesNeeds, withPods } from '../objects/liveNeeds.ts';
import { readInput } from '../objects/readInput.ts';
import { addInputOptions, addMessageOptions, formOption, limitOption, rulesOption } from '../options/commonOptions.ts';
import { addFactOptions, factFiles } from '../options/factOptions.ts';
import { addNodeOptions } from '../options/liveOptions.ts';
import type { MigrateFlags } from '../options/migrateFlags.ts';
import { endMisused } from '../options/refuseOption.ts';
import { addTargetOptions, kubeVersion } from '../options/targetOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

/** `k8snet migrate`: what another mode or version of kube-proxy changes for these Services. */
export function migrateCommand(setExitCode: SetExitCode): Command {
  const modes = ['iptables', 'ipvs', 'nftables'];
  const command = new Command('migrate')
    .summary('show what another mode or version of kube-proxy would change for your Services')
    .description(
      "Compiles the objects for kube-proxy as it is and as it is to be, sends packets of all senders to all addresses of Services through both, and reports: what changes for whom, each with a packet; what the node needs; who else relies on kube-proxy's chains (from a dump); the steps, and the way back.",
    )
    .argument(
      '[dump...]',
      'files or folders of one node: its mode and version, and rules of other programs; or a folder, an archive or files of many nodes; with --live node/NAME or nodes of the cluster',
    );
  addNodeOptions(addInputOptions(command));
  command
    .addOption(new Option('--to <mode>', 'mode to switch to (default: the mode stays)').choices(modes))
    .addOption(new Option('--to-version <version>', 'version of kube-proxy afterwards').argParser(kubeVersion))
    .addOption(
      new Option('--from-mode <mode>', "mode today (default: the dump's, else the config's, else iptables)").choices(
        modes,
      ),
    )
    .addOption(rulesOption())
    .addOption(limitOption('packets to show of each kind (default: 3; in JSON of one node all)'));
  addFleetOptions(command);
  addFactOptions(command);
  addTargetOptions(command);
  command.addOption(formOption('markdown', 'json', 'text').default('text'));
  addMessageOptions(command);
  return command
    .addHelpText('after', examples)
    .action(async (dumps: readonly string[], options: MigrateFlags & FleetFlags) => {
      setExitCode(await migrateAction(dumps, options));
    });
}

async function migrateAction(words: readonly string[], options: MigrateFlags & FleetFlags): Promise<number> {
  const messages = collectMessages(options);
  const { to, toVersion, fromMode } = options;
  if (to === undefined && toVersion === undefined)
    return endMisused(messages, 'migrate', 'say where to: --to MODE, --to-version X.Y, or both');
  if (fromMode !== undefined && options.mode !== undefined && fromMode !== options.mode) {
    return endMisused(messages, 'migrate', '--mode and --from-mode say different things: give one of them');
  }
  const paths = [...(options.rules ?? []), ...words];
  const fleet = await fleetOf('migrate', paths, options, messages);
  if (fleet.kind === 'refused') return fleet.code;
  if (fleet.kind === 'many') {
    const { runFleet } = await import('../fleet/runFleet.ts');
    return runFleet({ name: 'migrate', options }, fleet.paths);
  }
  return migrateOne(paths, options, messages);
}

async function migrateOne(paths: readonly string[], options: MigrateFlags, messages: Messages): Promise<number> {
  const { to, toVersion, fromMode, limit, output } = options;
  const facts = factFiles(options);
  const dump =
    paths.length === 0 ? undefined : await readNodeDump(paths, { ...options, facts, isCompared: false }, messages);
  if (paths.length > 0 && dump === undefined) {
    await messages.flush();
    return exitCodes.badInput;
  }
  if (dump !== undefined) reportReading(dump, messages.report);
  reportUnreadNodes(paths, options, messages.report);
  const mode = fromMode ?? options.mode;
  const {
    objects,
    options: target,
    sources,
  } = await readInput({ ...options, ...(mode && { mode }) }, messages, false, withPods(rulesNeeds(options)));
  const found = messages.hasErrors()
    ? undefined
    : await told(migrate(objects, { ...target, to: { mode: to, kubeVersion: toVersion }, dump }), messages.report);
  messages.progress('compared');
  if (found === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  if (output === 'json') {
    const { migrationJson } = await import('../../behaviour/migrate/migrationJson.ts');
    const json = migrationJson(found, limit ?? Number.POSITIVE_INFINITY);
    writeOut(jsonText(json));
  } else {
    const [{ migrationBlocks }, { migrationMarkdown }, { migrationText }] = await Promise.all([
      import('../../behaviour/migrate/migrationBlocks.ts'),
      import('../../behaviour/migrate/migrationMarkdown.ts'),
      import('../../behaviour/migrate/migrationText.ts'),
    ]);
    const blocks = migrationBlocks(found, limit ?? usualPackets);
    writeOut([output === 'markdown' ? migrationMarkdown(blocks) : migrationText(blocks)]);
  }
  await messages.flush(sources);
  const { findings, open } = found.comparison;
  return findings.length > 0 || open.length > 0 ? exitCodes.differs : exitCodes.ok;
}

/** For each kind. */
const usualPackets = 3;

const examples = `
Examples:
  k8snet migrate --to nftables -f cluster.yaml --node n1
  k8snet migrate --to nftables -f cluster.yaml --node n1 node1/ -o markdown > ticket.md
  k8snet migrate --from-mode ipvs --to nftables --kube-version 1.32 --to-version 1.35 -f cluster.yaml
  k8snet migrate --to-version 1.36 --kube-version 1.30 -f cluster.yaml -o json
  kubectl get svc,endpointslices,nodes,pods -A -o json | k8snet migrate --to nftables -f - --node n1
  k8snet migrate --to nftables -f cluster.yaml nodes/               many nodes: a folder or a file of each
  k8snet migrate --to nftables --live nodes                         all nodes of the cluster
  k8snet migrate --to nftables -f snap/cluster snap/ --shard 3/8 -o json     a part of the nodes; k8snet report merge puts parts together

Exit status: 0 nothing changes for any packet, 1 something does or nobody can tell, 2 bad usage or input (of many nodes: also
where one of them could not be judged; the others are), 5 the cluster or a node could not be read, 70 a bug of k8snet.
`;
