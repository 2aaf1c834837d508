import { Argument, Command } from 'commander';
import { bashScript } from '../completion/scripts/bashScript.ts';
import { fishScript } from '../completion/scripts/fishScript.ts';
import { powershellScript } from '../completion/scripts/powershellScript.ts';
import { zshScript } from '../completion/scripts/zshScript.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

/** `k8snet completion`: the script by which a shell completes command lines of k8snet. */
export function completionCommand(setExitCode: SetExitCode): Command {
  return new Command('completion')
    .summary('print a script that completes command lines in a shell')
    .description(
      'Prints a script for a shell. With it, the Tab key completes commands, options and their values, also names of Services, Pods, Nodes and chains from the manifests (-f) and dumps that the line names already. Under kubectl (kubectl k8snet …) nothing is to be set up beside the completion of kubectl: it runs kubectl_complete-k8snet, which is installed with k8snet.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', examples)
    .action((shell: string) => {
      writeOut([scripts[shell] ?? '']);
      setExitCode(exitCodes.ok);
    });
}

const scripts: Readonly<Record<string, string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

const examples = `
Examples:
  source <(k8snet completion bash)                      bash: here and now, or in ~/.bashrc
  k8snet completion bash > ~/.local/share/bash-completion/completions/k8snet
  source <(k8snet completion zsh)                       zsh: in ~/.zshrc, behind compinit
  k8snet completion fish > ~/.config/fish/completions/k8snet.fish
  k8snet completion powershell | Out-String | Invoke-Expression

Exit status: 0 done, 2 bad usage, 70 a bug of k8snet, 74 the output cannot be written.
`;
