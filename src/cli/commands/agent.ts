import { Command, InvalidArgumentError, Option } from 'commander';
import { type ListenAddress, parseListenAddress } from '../../agent/agentOptions.ts';
import { printable } from '../../agent/print/printable.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { clusterOptions, milliseconds } from '../options/liveOptions.ts';
import { version } from '../version.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeError, writeOut } from '../write/writeOut.ts';

interface AgentFlags {
  readonly node?: string;
  readonly interval: number;
  readonly settle: number;
  readonly listen: ListenAddress;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly auth: 'none' | 'token-review';
  readonly report: boolean;
  readonly events: boolean;
  readonly condition: boolean;
  readonly policies: boolean;
  readonly print?: (typeof printable)[number];
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** `k8snet agent`: watches the rules of the node that it runs on. */
export function agentCommand(setExitCode: SetExitCode): Command {
  const command = new Command('agent')
    .summary('watch the rules of this node, and serve what differs as metrics')
    .description(
      'Runs on a node until it is ended: follows the objects of the cluster, reads the rules of the node, compares them as diff and doctor do, and serves what differs at /metrics, /healthz, /readyz and, where asked, /report. A difference counts once it has outlived kube-proxy’s sync. It changes nothing on the node.',
    )
    .option('--node <name>', 'name of this node (default: the variable NODE_NAME)')
    .addOption(
      new Option('--interval <time>', 'between two looks at the rules').default(15_000, '15s').argParser(positive),
    )
    .addOption(
      new Option('--settle <time>', 'a difference counts once objects and rules have stayed as they are for so long')
        .default(10_000, '10s')
        .argParser(milliseconds),
    )
    .addOption(
      new Option('--listen <address:port>', 'where metrics are served; [ADDRESS]:PORT for IPv6')
        .default(parseListenAddress('127.0.0.1:9965'), '127.0.0.1:9965')
        .argParser(listenAddress),
    )
    .option('--tls-cert <file>', 'serve over TLS with this certificate; read again when it is renewed')
    .option('--tls-key <file>', 'key of the certificate')
    .addOption(
      new Option('--auth <kind>', 'token-review: ask the API server who may read /metrics and /report')
        .choices(['none', 'token-review'])
        .default('none'),
    )
    .option('--report', 'serve /report and /report.html, which name Services', false)
    .option('--events', 'write an Event when a finding begins and when it ends', false)
    .option('--condition', 'keep the condition KubeProxyRulesDrift of the Node', false)
    .option('--policies', 'compare rules of NetworkPolicies too: follows all Pods', false)
    .addOption(
      new Option(
        '--print <what>',
        'end at once: print the report of the agent that runs here, or what the programs of this node show now, as JSON',
      ).choices(printable),
    )
    .option('--context <name>', 'context of the kubeconfig')
    .option('--kubeconfig <file>', 'instead of KUBECONFIG and ~/.kube/config; in a Pod neither is needed');
  return command.addHelpText('after', examples).action(async (options: AgentFlags) => {
    const wrong = misuseOf(options);
    if (wrong !== undefined) command.error(`error bad-option: ${wrong}`, { code: 'commander.invalidArgument' });
    setExitCode(await agentAction(options));
  });
}

function misuseOf({ node, tlsCert, tlsKey }: AgentFlags): string | undefined {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) return '--tls-cert and --tls-key go together';
  const name = node ?? process.env.NODE_NAME;
  if (!name) return 'which node is this? --node names it, or the variable NODE_NAME';
  return /^[a-z0-9][a-z0-9.-]*$/.test(name) ? undefined : `${JSON.stringify(name)} is not the name of a node`;
}

async function agentAction(options: AgentFlags): Promise<number> {
  const { print, ...others } = options;
  return print === undefined ? runAction(others) : printAction(print, others);
}

async function printAction(what: (typeof printable)[number], options: AgentFlags): Promise<number> {
  const { printOwn } = await import('../../agent/print/printOwn.ts');
  const { node = process.env.NODE_NAME ?? '', listen, tlsCert, tlsKey } = options;
  const tls = tlsCert !== undefined && tlsKey !== undefined ? { tls: { cert: tlsCert, key: tlsKey } } : {};
  const { text, problem } = await printOwn(what, { node, listen, ...tls });
  writeOut([text]);
  if (problem === undefined) return exitCodes.ok;
  writeError(`k8snet: error node-unread: ${escapeText(problem)}\n`);
  return exitCodes.unread;
}

async function runAction(options: AgentFlags): Promise<number> {
  const [{ runAgent }, { jsonLog }] = await Promise.all([
    import('../../agent/runAgent.ts'),
    import('../../agent/tell/logLine.ts'),
  ]);
  const { node = process.env.NODE_NAME ?? '', tlsCert, tlsKey, context, kubeconfig } = options;
  const cluster = { ...(context !== undefined && { context }), ...(kubeconfig !== undefined && { kubeconfig }) };
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
  // The reader of the log may go away; the agent stays.
  const log = jsonLog(
    () => new Date(),
    (line) => writeOut([line]),
  );
  try {
    await runAgent(
      {
        node,
        interval: options.interval,
        settle: options.settle,
        listen: options.listen,
        ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { cert: tlsCert, key: tlsKey } }),
        auth: options.auth,
        servesReport: options.report,
        writesEvents: options.events,
        writesCondition: options.condition,
        comparesPolicies: options.policies,
        cluster: clusterOptions(cluster),
        version,
      },
      log,
      ending.signal,
    );
    return exitCodes.ok;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    writeError(`k8snet: error bad-option: the agent cannot start: ${escapeText(message)}\n`);
    return exitCodes.badInput;
  }
}

function listenAddress(text: string): ListenAddress {
  const address = parseListenAddress(text);
  if (address === undefined) throw new InvalidArgumentError('give ADDRESS:PORT, as 127.0.0.1:9965 or [::1]:9965');
  return address;
}

function positive(text: string): number {
  const time = milliseconds(text);
  if (time >= shortestInterval) return time;
  throw new InvalidArgumentError('give a time of 1s or more');
}

const shortestInterval = 1000;

const examples = `
Examples:
  NODE_NAME=n1 k8snet agent                                         in a Pod of a DaemonSet: its account reads the cluster
  k8snet agent --node n1 --kubeconfig admin.conf                    on a node, as root
  k8snet agent --listen [::1]:9965 --events --condition
  k8snet agent --node n1 --print report                             what the agent that runs here knows
  k8snet agent --listen 10.0.0.5:9965 --tls-cert tls.crt --tls-key tls.key --auth token-review --report

Reading rules takes CAP_NET_ADMIN and iptables, nft, ipset, ipvsadm, conntrack and ip, as far as the node uses them. What a program that
is not there would show is unknown. k8snet status shows what the agents of all nodes found.

Exit status: 0 ended by a signal, 2 bad usage, an address that cannot be listened on or a certificate that cannot be read, 70 a bug of
k8snet.
`;
