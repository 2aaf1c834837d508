import { Command, Option } from 'commander';
import { isNodeWord } from '../dumps/nodeWords.ts';
import { addMessageOptions, type MessageOptions } from '../options/commonOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { addLiveOptions, addNodeOptions } from '../options/liveOptions.ts';
import { refuseOption } from '../options/refuseOption.ts';
import { collectHint } from '../words/usageHint.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

interface CollectOptions extends LiveFlags, MessageOptions {
  readonly output: string;
  readonly redact: boolean;
  readonly from: 'node' | 'cluster' | 'both';
}

/**
 * `k8snet collect`: shows people who have root elsewhere how to gather what a comparison needs; with `--live` it
 * gathers it.
 */
export function collectCommand(setExitCode: SetExitCode): Command {
  const command = new Command('collect')
    .summary('print the commands that gather rules and objects from a node and a cluster, or run them')
    .description(
      'Prints the commands, or with -o script a POSIX shell script, that save everything k8snet can compare: the rules of both variants of iptables, nftables, sets, IPVS, addresses, routes, connections, settings, and the objects of the cluster. Nothing is run, and the script only reads. With --live it reads the cluster and its nodes itself, and packs all of it into the archive that -o names.',
    )
    .argument('[node...]', 'with --live: node/NAME, or nodes (the default)')
    .option('-o, --output <form>', 'commands: one a line; script: for sh; with --live: FILE.tar.gz', 'commands')
    .option('--redact', 'with --live: other names and addresses, the same ones throughout', false)
    .addOption(new Option('--from <where>', 'what to ask').choices(['node', 'cluster', 'both']).default('both'));
  addNodeOptions(addLiveOptions(command));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (words: readonly string[], options: CollectOptions) => {
    setExitCode(await collectAction(words, options));
  });
}

async function collectAction(words: readonly string[], options: CollectOptions): Promise<number> {
  const messages = collectMessages(options);
  const wrong = misuseOf(words, options);
  let code: number = exitCodes.ok;
  if (options.live === undefined && words.length > 0) {
    const message = `${words[0]}: nodes are read with --live only`;
    messages.report({ code: 'bad-option', severity: 'error', message, at: [], hint: collectHint });
    code = exitCodes.badInput;
  } else if (wrong !== undefined) code = refuseOption(messages, 'collect', wrong);
  else if (options.live !== undefined) {
    const { collectLive } = await import('../objects/collectLive.ts');
    const { live, output: file, quiet: isQuiet } = options;
    code = await collectLive(words, live, { ...options, file, isQuiet, isRedacted: options.redact }, messages);
  } else await printCommands(options);
  await messages.flush();
  return code;
}

function misuseOf(
  words: readonly string[],
  { live, liveNodes, output, from, redact }: CollectOptions,
): string | undefined {
  const isForm = output === 'commands' || output === 'script';
  if (live === undefined) {
    if (redact) return '--redact is about the archive that --live writes';
    if (liveNodes !== undefined) return '--via goes with --live, which says that the cluster is to be read';
    return isForm ? undefined : `--output ${output}: one of commands, script; an archive is written with --live`;
  }
  if (!/\.(?:tar\.gz|tgz)$/.test(output)) return '--live writes an archive: name it, as -o cluster.tar.gz';
  if (from !== 'both') return '--from is about the commands: with --live, name nodes instead';
  const other = words.find((word) => !isNodeWord(word));
  return other === undefined ? undefined : `${other}: give node/NAME, or nodes`;
}

async function printCommands({ from, output }: CollectOptions): Promise<void> {
  const { collectCommands } = await import('../../script/collect/collectCommands.ts');
  const commands = collectCommands.filter(({ where }) => from === 'both' || where === from);
  if (output === 'script') writeOut([(await import('../../script/collect/collectScript.ts')).collectScript(commands)]);
  else writeOut([(await import('../../script/collect/collectList.ts')).collectList(commands)]);
}

const examples = `
Examples:
  k8snet collect
  k8snet collect -o script > collect.sh && scp collect.sh node1: && ssh node1 sudo sh collect.sh
  k8snet collect -o script --from node | ssh node1 sudo sh -s -- /tmp/node1
  k8snet collect --from cluster
  k8snet collect --live -o cluster.tar.gz                  objects and all nodes; replay: k8snet diff -f cluster.tar.gz cluster.tar.gz:n1
  k8snet collect --live --redact -o cluster.tar.gz         the same to show around: other names and addresses
  k8snet collect --live node/n1 --via ssh -o n1.tar.gz     one node, by ssh

Exit status: 0 done, 2 bad usage, 5 the cluster or a node could not be read (the archive lacks what the message names),
70 a bug of k8snet, 74 the archive cannot be written.
`;
