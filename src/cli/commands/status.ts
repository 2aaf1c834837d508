import { Command, Option } from 'commander';
import type { ClusterStatus } from '../../agent/status/clusterStatus.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { jsonText } from '../../common/text/jsonText.ts';
import type { LiveOptions } from '../../live/liveOptions.ts';
import type { Live } from '../../live/openLive.ts';
import { addMessageOptions, formOption, type MessageOptions } from '../options/commonOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { addLiveOptions, clusterOptions, milliseconds } from '../options/liveOptions.ts';
import type { SeenState } from '../watch/seenState.ts';
import { watchMessages } from '../watch/watchMessages.ts';
import { addWatchOptions, type WatchFlags } from '../watch/watchOptions.ts';
import { endUnread } from '../write/endUnread.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import { progressLine } from '../write/progressLine.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

interface StatusFlags extends LiveFlags, WatchFlags, MessageOptions, Omit<LiveOptions, 'namespace' | 'nodeTimeout'> {
  readonly nodeTimeout: number;
  readonly output: 'text' | 'json';
}

/** `k8snet status`: what the agents of all nodes say. */
export function statusCommand(setExitCode: SetExitCode): Command {
  const command = new Command('status')
    .summary('show what the agents of all nodes found')
    .description(
      'Asks the agents of a cluster (k8snet agent), each by a program that is run in its Pod, and shows a table of nodes: whether rules are as the objects are, which node is unlike the others, and what differs where. A node without an agent is unknown.',
    );
  addLiveOptions(command, false);
  // There is nothing else to read.
  command.setOptionValueWithSource('live', true, 'default');
  command
    .addOption(
      new Option('-l, --selector <labels>', 'labels of the agents’ Pods, in all namespaces')
        .default('app.kubernetes.io/name=k8snet-agent')
        .helpGroup('Reading a cluster:'),
    )
    .addOption(
      new Option('--node-timeout <time>', 'limit of what one node is asked, such as 90s; 0: none')
        .default(30_000, '30s')
        .argParser(milliseconds)
        .helpGroup('Reading a cluster:'),
    )
    .addOption(formOption('text', 'json'));
  addMessageOptions(addWatchOptions(command));
  return command.addHelpText('after', examples).action(async (options: StatusFlags) => {
    setExitCode(await statusAction(options));
  });
}

async function statusAction(options: StatusFlags): Promise<number> {
  const messages = collectMessages(options);
  if (options.watch === true) return watchStatus(options);
  const status = await readStatus(options, options.live as Live, messages);
  await messages.flush();
  if (options.output === 'json') writeOut(jsonText(status));
  else {
    const { statusText } = await import('../../agent/status/statusText.ts');
    writeOut([statusText(status)]);
  }
  return codeOf(status);
}

/** A run whose cluster cannot be read ends here. */
async function readStatus(options: StatusFlags, live: Live, messages: Messages): Promise<ClusterStatus> {
  const [{ readAgents }, { clusterStatus }, { openApi }] = await Promise.all([
    import('../../agent/status/readAgents.ts'),
    import('../../agent/status/clusterStatus.ts'),
    import('../../live/openApi.ts'),
  ]);
  const { live: _, ...flags } = options;
  const cluster = clusterOptions(flags);
  const said = watchMessages();
  const nodes = await live.nodeNames(undefined, said.report);
  const line = progressLine('node', options.quiet);
  const states = await readAgents(await openApi(cluster), nodes ?? [], {
    selector: options.selector,
    cluster,
    progress: line.report,
  });
  line.end();
  if (typeof states === 'string') {
    messages.report({
      code: 'cluster-unread',
      severity: 'error',
      message: `the agents cannot be found: ${states}`,
      at: [],
      hint: 'a role with this rule shows them: {apiGroups: [""], resources: [pods], verbs: [list]}',
    });
    return endUnread(messages);
  }
  // Nodes without an agent are completely unknown in that case.
  if (nodes === undefined) for (const one of said.diagnostics()) messages.report({ ...one, severity: 'warning' });
  if (states.length === 0) {
    messages.report({
      code: 'cluster-unread',
      severity: 'error',
      message: 'the cluster has no nodes, and no agents',
      at: [],
      hint: 'docs/agent.md says how the agent is installed',
    });
    return endUnread(messages);
  }
  return clusterStatus(states);
}

function codeOf({ summary }: ClusterStatus): number {
  if (summary.differ > 0) return exitCodes.differs;
  return summary.unknown > 0 ? exitCodes.undecided : exitCodes.ok;
}

async function watchStatus(options: StatusFlags): Promise<number> {
  const [{ watchCluster }, { summaryLine }] = await Promise.all([
    import('../watch/watchCluster.ts'),
    import('../../agent/status/statusText.ts'),
  ]);
  const { live, interval = 0, output } = options;
  return watchCluster({
    live: live as Live,
    needs: undefined,
    interval,
    isJson: output === 'json',
    look: async (fresh): Promise<SeenState> => {
      const status = await readStatus({ ...options, quiet: true }, fresh, watchMessages());
      const lines = new Map<string, string>();
      // The start time belongs to a state, but does not make a different state.
      for (const { node, why } of status.nodes)
        if (why !== null) lines.set(`${node} ${why}`, `node ${node} is unknown: ${escapeText(why)}`);
      for (const { id, service, seen, nodes } of status.findings)
        for (const node of nodes)
          lines.set(
            `${node} ${id} ${service} ${seen}`,
            `node ${node}: ${id}${service === null ? '' : ` ${service}`}: ${seen}`,
          );
      return { lines, summary: summaryLine(status.summary), code: codeOf(status) };
    },
  });
}

const examples = `
Examples:
  k8snet status
  k8snet status --context prod -o json
  k8snet status --watch                               what begins and what ends, one line each

Agents are installed by a DaemonSet: docs/agent.md. Asking them takes the right to list Pods and to run programs in those of the agents
(pods/exec); nodes that have none are shown to who may list nodes.

Exit status: 0 all nodes are in order, 1 something differs, 2 bad usage, 3 of some node nothing is known, 5 the cluster could not be
read, 70 a bug of k8snet.
`;
