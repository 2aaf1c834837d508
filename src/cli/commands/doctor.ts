import { Command } from 'commander';
import { diagnose } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import { withNodeName } from '../../report/withNodeName.ts';
import { answerOrWatch } from '../dumps/answerOrWatch.ts';
import { nodesNamed, orAllNodes } from '../dumps/nodeWords.ts';
import { addWalkOptions, readWalkNode, type WalkFlags } from '../dumps/readWalkNode.ts';
import { fleetOf } from '../fleet/fleetOf.ts';
import { addFleetOptions, type FleetFlags } from '../fleet/fleetOptions.ts';
import { rulesNeeds, withPods } from '../objects/liveNeeds.ts';
import { addMessageOptions, type MessageOptions } from '../options/commonOptions.ts';
import { addReportOptions, printReport, type ReportFlags } from '../options/reportOptions.ts';
import { addWatchOptions, type WatchFlags } from '../watch/watchOptions.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';

type DoctorOptions = WalkFlags & WatchFlags & ReportFlags & MessageOptions & FleetFlags;

/** `k8snet doctor`: what a dump shows by itself. */
export function doctorCommand(setExitCode: SetExitCode): Command {
  const command = new Command('doctor')
    .summary('find what is wrong with a dump, without manifests')
    .description(
      'Reads all dumps of one node and reports what is wrong whatever the Services are: jumps to missing chains, missing jumps, balancing chains that lose traffic, marks that do not match, two back ends, misleading dumps. Then it sends packets to the Services of the dump, from a Pod, the node and outside, and names the rules of other programs that stop them or send them elsewhere. Manifests (-f) tell the names of Pods, and the network: with --routes, whether the node has the routes to the Pods of every Node.',
    )
    .argument(
      '[dump...]',
      'files or folders of one node, also one that collect filled, or - for standard input; or a folder, an archive or files of many nodes; with --live node/NAME or nodes of the cluster, which is the default',
    );
  addFleetOptions(addWatchOptions(addWalkOptions(command)));
  addReportOptions(command);
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (given: readonly string[], options: DoctorOptions) => {
    const dumps = orAllNodes(given, options);
    if (dumps.length === 0) command.error("error: missing required argument 'dump'");
    const fleet = await fleetOf('doctor', dumps, options, collectMessages(options));
    if (fleet.kind === 'refused') return setExitCode(fleet.code);
    if (fleet.kind === 'many') {
      const { runFleet } = await import('../fleet/runFleet.ts');
      return setExitCode(await runFleet({ name: 'doctor', options }, fleet.paths));
    }
    return setExitCode(
      await answerOrWatch({
        name: 'doctor',
        words: dumps,
        options,
        needs: withPods(rulesNeeds(options)),
        answer: doctorAction,
      }),
    );
  });
}

async function doctorAction(paths: readonly string[], options: DoctorOptions, messages: Messages): Promise<number> {
  const read = await readWalkNode(paths, options, messages, false, { purpose: 'checks' });
  if (read === undefined) return exitCodes.badInput;
  const { node, objects, sources, routeFindings } = read;
  const report = await orThrow(diagnose(node, { objects, further: routeFindings }));
  const [name = options.node] = nodesNamed(paths);
  const code = await printReport(report && withNodeName(report, name), options, messages, sources);
  await messages.flush(sources);
  return code;
}

const examples = `
Examples:
  k8snet doctor node1.save
  sudo iptables-save | k8snet doctor -
  k8snet doctor node1.save --conntrack udp.txt         UDP flows to endpoints that the rules do not have
  k8snet doctor node1/                                 iptables-save, ip6tables-save, nft list ruleset …
  k8snet doctor nodes/                                 many nodes: a folder or a file of each
  k8snet doctor --live                                 all nodes of the cluster
  k8snet doctor --live nodes --watch                   what begins and what ends, one line each
  k8snet doctor node1/ -f cluster.yaml --node n1       with the names and the network of the manifests

What --conntrack, --routes and --bridge name is compared with what the dump itself has: rules of iptables (whole tables) or
of nftables mode, ipset save, ipvsadm -Sn.

Exit status: 0 nothing found, 1 something is wrong, 2 bad usage or input (of many nodes: also where one of
them could not be judged; the others are), 3 nothing found in a dump that lost lines, 5 the cluster or a node
could not be read, 70 a bug of k8snet.
`;
