import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseGoDuration } from '../common/goDuration.ts';
import type { LiveOptions } from '../live/liveOptions.ts';
import type { Live } from '../live/openLive.ts';

/** Of commands that can read a cluster: what was opened, where it was asked for. */
export interface LiveFlags {
  readonly live?: Live | undefined;
}

/** `--live` and which cluster, as kubectl is told. */
export function addLiveOptions(command: Command, hasNamespace = true): Command {
  const options = [
    new Option('--live', 'read the cluster that kubectl would, or in a Pod its own').default(false),
    new Option('--context <name>', 'context of the kubeconfig'),
    new Option('--kubeconfig <file>', 'instead of KUBECONFIG and ~/.kube/config'),
    ...(!hasNamespace ? [] : [new Option('-n, --namespace <name>', 'only objects of this namespace')]),
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

const group = 'Reading a cluster:';
const usualTimeout = 30_000;

/**
 * Puts the cluster in the place of `--live`, which then stands where manifests do. Gives what is wrong with the options;
 * undefined: nothing. Without `--live` no code that could contact anything is loaded.
 */
export async function settleLive(command: Command): Promise<string | undefined> {
  const own = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === group);
  if (own.length === 0) return undefined;
  const given = own.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
  if (command.getOptionValue('live') !== true) {
    command.setOptionValue('live', undefined);
    const [first] = given;
    return first && `${first.long} is about a cluster, which is read with --live only`;
  }
  const value = (name: string) =>
    own.some((option) => option.attributeName() === name) ? command.getOptionValue(name) : undefined;
  if (value('namespace') !== undefined && value('allNamespaces') === true)
    return '--namespace and --all-namespaces exclude each other';
  const { openLive } = await import('../live/openLive.ts');
  command.setOptionValue(
    'live',
    openLive(
      dropUndefined({
        context: value('context'),
        kubeconfig: value('kubeconfig'),
        namespace: value('namespace'),
        as: value('as'),
        asGroup: value('asGroup'),
        requestTimeout: value('requestTimeout') || undefined,
      }),
    ),
  );
  if (takesManifests(command) && command.getOptionValue('filename') === undefined)
    command.setOptionValue('filename', []);
  return undefined;
}

function dropUndefined(options: Readonly<Record<keyof LiveOptions, unknown>>): LiveOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function takesManifests({ options }: Command): boolean {
  return options.some(({ long }) => long === '--filename');
}

function repeated(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Seconds where no unit is named, as kubectl takes them. */
function milliseconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : parseGoDuration(text);
  if (seconds !== undefined && seconds >= 0) return Math.round(seconds * 1000);
  throw new InvalidArgumentError('give a time such as 90s or 2m');
}
