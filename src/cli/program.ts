import { Command } from 'commander';
import { canonCommand } from './commands/canon.ts';
import { checkCommand } from './commands/check.ts';
import { cleanupCommand } from './commands/cleanup.ts';
import { collectCommand } from './commands/collect.ts';
import { compileCommand } from './commands/compile.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { lintCommand } from './commands/lint.ts';
import { policyCommand } from './commands/policy.ts';
import { versionsCommand } from './commands/versions.ts';
import { version } from './version.ts';
import { writeError, writeOut } from './writeOut.ts';

/** Takes a command's exit code. */
export type SetExitCode = (code: number) => void;

/** The command line as commander knows it. Commands load what they need when they run. */
export function createProgram(setExitCode: SetExitCode): Command {
  const program = new Command('k8snet')
    .description('Compiles Kubernetes manifests to the packet-filter rules of a node, and reads such rules back.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('(--help shows what there is)')
    .configureOutput({ writeOut: (text) => writeOut([text]), writeErr: writeError })
    .exitOverride()
    .addHelpText('after', examples);
  for (const add of [
    compileCommand,
    lintCommand,
    diffCommand,
    doctorCommand,
    canonCommand,
    checkCommand,
    collectCommand,
    explainCommand,
    cleanupCommand,
    policyCommand,
    versionsCommand,
  ]) {
    program.addCommand(add(setExitCode).copyInheritedSettings(program));
  }
  return program;
}

const examples = `
Examples:
  k8snet compile -f service.yaml                       what iptables-save would show
  k8snet compile -f cluster.yaml --node n1 -o restore  what kube-proxy hands to iptables-restore
  kubectl get svc,endpointslices,nodes -A -o json | k8snet compile -f - --node n1
  k8snet lint -f manifests/ -R                         problems of manifests only
  k8snet check                                         golden files, for CI
  k8snet explain K8N203                                what a finding means
`;
