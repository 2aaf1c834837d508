import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseGoDuration } from '../../common/text/goDuration.ts';
import type { LiveOptions } from '../../live/liveOptions.ts';
import type { Via } from '../../live/node/openNode.ts';
import { nodeOfWord } from '../dumps/nodeWords.ts';
import { asksForNames } from '../settleWords.ts';

/** `--live` and which cluster, as kubectl is told. */
export function addLiveOptions(command: Command, hasNamespace = true): Command {
  const options = [
    new Option('--live', 'read the cluster that kubectl would, or in a Pod its own').default(false),
    new Option('--context <name>', 'context of the kubeconfig'),
    new Option('--kubeconfig <file>', 'instead of KUBECONFIG and ~/.kube/config'),
    ...(!hasNamespace
      ? []
      : [new Option('-n, --namespace <name>', 'only objects of this namespace, which names without one are of')]),
    new Option('-A, --all-namespaces', 'objects of all namespaces (the default)').default(false),
    new Option('--as <user>', 'read as this user'),
    new Option('--as-group <group>', 'read as a member of this group; can be repeated').argParser(repeated),
    new Option('--request-timeout <time>', 'limit of one request, such as 90s; 0: none')
      .default(usualTimeout, '30s')
      .argParser(milliseconds),
  ];
  for (const option of options) command.addOption(option.helpGroup(group));
  return command;
}

/** How nodes are reached, for commands that read dumps: `node/NAME` and `nodes` can replace a dump. */
export function addNodeOptions(command: Command): Command {
  const options = [
    new Option(
      '--via <way>',
      'reach nodes by k8snet’s agent, else by kube-proxy’s pod (both by default), local, ssh, ssh:[USER@]HOST, or debug[:IMAGE]: a Pod made for it',
    ).argParser(via),
    new Option('-l, --selector <labels>', 'of nodes: only those with these labels'),
    new Option('--node-timeout <time>', 'limit of all that one node is asked, such as 90s; 0: none')
      .default(nodeTimeout, '60s')
      .argParser(milliseconds),
  ];
  for (const option of options) command.addOption(option.helpGroup(group));
  return command;
}

const group = 'Reading a cluster:';
const usualTimeout = 30_000;
const nodeTimeout = 60_000;
/** It has sleep and chroot: everything else comes from the node. */
const debugImage = 'busybox:1.36';

/**
 * Opens the cluster for `--live`, which then replaces manifests. Returns what is wrong with the options; undefined:
 * nothing. Without `--live` no code that could contact anything is loaded.
 */
export async function settleLive(command: Command): Promise<string | undefined> {
  const own = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === group);
  if (own.length === 0) return undefined;
  const values = Object.fromEntries(
    own.map((option) => [option.attributeName(), command.getOptionValue(option.attributeName())]),
  ) as Partial<Values>;
  const isLive = values.live === true;
  command.setOptionValue('live', undefined);
  if (!isLive && values.via === undefined) {
    const first = own.find(
      (option) =>
        command.getOptionValueSource(option.attributeName()) === 'cli' &&
        !(option.long === '--namespace' && asksForNames(command)),
    );
    return first && `${first.long} is about a cluster, which is read with --live only`;
  }
  if (values.namespace !== undefined && values.allNamespaces === true)
    return '--namespace and --all-namespaces exclude each other';
  const { openLive } = await import('../../live/openLive.ts');
  const opened = openLive(clusterOptions(values), values.via);
  command.setOptionValue('liveNodes', opened);
  chooseNode(command);
  if (!isLive) return undefined;
  command.setOptionValue('live', opened);
  if (takesManifests(command) && command.getOptionValue('filename') === undefined)
    command.setOptionValue('filename', []);
  return undefined;
}

interface Values extends Omit<LiveOptions, 'requestTimeout' | 'nodeTimeout'> {
  readonly live: boolean;
  readonly allNamespaces: boolean;
  readonly via: Via;
  readonly requestTimeout: number;
  readonly nodeTimeout: number;
}

/** A time of 0 is invalid. */
export function clusterOptions({
  context,
  kubeconfig,
  namespace,
  as,
  asGroup,
  ...times
}: Partial<Values>): LiveOptions {
  const { requestTimeout = usualTimeout, nodeTimeout: ofNode = nodeTimeout } = times;
  return {
    ...(context !== undefined && { context }),
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(namespace !== undefined && { namespace }),
    ...(as !== undefined && { as }),
    ...(asGroup !== undefined && { asGroup }),
    ...(requestTimeout > 0 && { requestTimeout }),
    ...(ofNode > 0 && { nodeTimeout: ofNode }),
  };
}

/** The node whose dump is read is also the one to compile for, unless another one was named. */
function chooseNode(command: Command): void {
  const hasOption = command.options.some(({ long }) => long === '--node');
  if (!hasOption || command.getOptionValue('node') !== undefined) return;
  const rules = command.getOptionValue('rules') as readonly string[] | undefined;
  const [node, ...others] = [...command.args, ...(rules ?? [])].flatMap((word) => nodeOfWord(word) ?? []);
  if (node !== undefined && others.length === 0) command.setOptionValue('node', node);
}

function via(text: string): Via {
  if (text === 'agent' || text === 'pod' || text === 'local') return { kind: text };
  const [, host] = /^ssh(?::(.+))?$/.exec(text) ?? [undefined, undefined];
  if (/^ssh(?::.+)?$/.test(text)) return { kind: 'ssh', host };
  const [isDebug, image = debugImage] = /^debug(?::(\S+))?$/.exec(text) ?? [undefined];
  if (isDebug !== undefined) return { kind: 'debug', image };
  throw new InvalidArgumentError('give agent, pod, local, ssh, ssh:[USER@]HOST or debug[:IMAGE]');
}

function takesManifests({ options }: Command): boolean {
  return options.some(({ long }) => long === '--filename');
}

function repeated(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Seconds if there is no unit, as in kubectl. */
export function milliseconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : parseGoDuration(text);
  if (seconds !== undefined && seconds >= 0) return Math.round(seconds * 1000);
  throw new InvalidArgumentError('give a time such as 90s or 2m');
}
