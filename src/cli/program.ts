import { Command } from 'commander';
import type { SetExitCode } from './setExitCode.ts';
import { version } from './version.ts';
import { writeError, writeOut } from './writeOut.ts';

/**
 * The command line as commander knows it, for one run. Where a command is named only that one is loaded, for a fast
 * start; the list of all of them, and suggestions for a name that is none, load all.
 */
export async function createProgram(argv: readonly string[], setExitCode: SetExitCode): Promise<Command> {
  const program = new Command('k8snet')
    .description('Compiles Kubernetes manifests to the packet-filter rules of a node, and reads such rules back.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('(--help shows what there is)')
    .configureOutput({ writeOut: (text) => writeOut([text]), writeErr: writeError })
    .exitOverride()
    .addHelpText('after', examples);
  const named = argv.find((word) => !word.startsWith('-') && word !== 'help');
  const wanted = commands.filter(([name]) => name === named);
  for (const [, load] of wanted.length > 0 ? wanted : commands) {
    const add = await load();
    const command = await add(setExitCode, argv);
    inheritSettings(command, program);
    program.addCommand(command);
  }
  return program;
}

/** Commands are made before they have a parent, subcommands too: how they end and where they write is copied. */
function inheritSettings(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const own of command.commands) inheritSettings(own, command);
}

/** `argv` is for a command that loads only those of its own subcommands that are named. */
type AddCommand = (setExitCode: SetExitCode, argv: readonly string[]) => Command | Promise<Command>;

/** In the order of the help page. */
const commands: readonly (readonly [name: string, load: () => Promise<AddCommand>])[] = [
  ['compile', async () => (await import('./commands/compile.ts')).compileCommand],
  ['lint', async () => (await import('./commands/lint.ts')).lintCommand],
  ['diff', async () => (await import('./commands/diff.ts')).diffCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['canon', async () => (await import('./commands/canon.ts')).canonCommand],
  ['check', async () => (await import('./commands/check.ts')).checkCommand],
  ['collect', async () => (await import('./commands/collect.ts')).collectCommand],
  ['explain', async () => (await import('./commands/explain.ts')).explainCommand],
  ['cleanup', async () => (await import('./commands/cleanup.ts')).cleanupCommand],
  ['policy', async () => (await import('./commands/policy.ts')).policyCommand],
  ['emit', async () => (await import('./commands/emit.ts')).emitCommand],
  ['versions', async () => (await import('./commands/versions.ts')).versionsCommand],
];

const examples = `
Examples:
  k8snet compile -f service.yaml                       what iptables-save would show
  k8snet compile -f cluster.yaml --node n1 -o restore  what kube-proxy hands to iptables-restore
  kubectl get svc,endpointslices,nodes -A -o json | k8snet compile -f - --node n1
  k8snet lint -f manifests/ -R                         problems of manifests only
  k8snet check                                         golden files, for CI
  k8snet emit dns -f cluster.yaml                      the records of the cluster's DNS
  k8snet explain K8N203                                what a finding means
`;
