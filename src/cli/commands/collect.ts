import { Command, Option } from 'commander';
import { exitCodes } from '../exitCodes.ts';
import type { SetExitCode } from '../setExitCode.ts';
import { writeOut } from '../writeOut.ts';

interface CollectOptions {
  readonly output: 'commands' | 'script';
  readonly from: 'node' | 'cluster' | 'both';
}

/** `k8snet collect`: how to gather what a comparison needs, for people who have root elsewhere. */
export function collectCommand(setExitCode: SetExitCode): Command {
  return new Command('collect')
    .summary('print the commands that gather rules and objects from a node and a cluster')
    .description(
      'Prints the commands, or with -o script a POSIX shell script, that save everything k8snet can compare: the rules of both variants of iptables, nftables, sets, IPVS, addresses, routes, connections, settings, and the objects of the cluster. Nothing is run, and the script only reads.',
    )
    .addOption(
      new Option('-o, --output <form>', 'commands: one a line; script: for sh')
        .choices(['commands', 'script'])
        .default('commands'),
    )
    .addOption(new Option('--from <where>', 'what to ask').choices(['node', 'cluster', 'both']).default('both'))
    .addHelpText('after', examples)
    .action(async ({ output, from }: CollectOptions) => {
      const { collectCommands } = await import('../../script/collect/collectCommands.ts');
      const commands = collectCommands.filter(({ where }) => from === 'both' || where === from);
      if (output === 'script')
        writeOut([(await import('../../script/collect/collectScript.ts')).collectScript(commands)]);
      else writeOut([(await import('../../script/collect/collectList.ts')).collectList(commands)]);
      setExitCode(exitCodes.ok);
    });
}

const examples = `
Examples:
  k8snet collect
  k8snet collect -o script > collect.sh && scp collect.sh node1: && ssh node1 sudo sh collect.sh
  k8snet collect -o script --from node | ssh node1 sudo sh -s -- /tmp/node1
  k8snet collect --from cluster

Exit status: 0 done, 2 bad usage, 70 a bug of k8snet.
`;
