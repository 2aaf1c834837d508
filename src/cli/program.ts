import { basename } from 'node:path';
import { Command } from 'commander';
import { isExecutable } from '../common/embedded.ts';
import { didYouMean } from '../common/text/didYouMean.ts';
import { escapeText } from '../common/text/escapeText.ts';
import { namesInputTwice } from './dumps/namesInputTwice.ts';
import { fitAfterHelp, helpLayout, outHelpWidth } from './help/layoutHelp.ts';
import { readAhead } from './long/readAhead.ts';
import { settleLive } from './options/liveOptions.ts';
import { settleWords } from './settleWords.ts';
import { version } from './version.ts';
import { usageHint } from './words/usageHint.ts';
import type { SetExitCode } from './write/setExitCode.ts';
import { writeError, writeOut } from './write/writeOut.ts';

/**
 * The command line for one run, as commander objects. If a command is named, only that one is loaded, for a fast start;
 * the list of all commands, and suggestions for an unknown name, load all.
 */
export async function createProgram(argv: readonly string[], setExitCode: SetExitCode): Promise<Command> {
  const program = new Command(calledAs())
    .description('Compiles Kubernetes manifests to the packet-filter rules of a node, and reads such rules back.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureOutput({
      writeOut: (text) => writeOut([text]),
      writeErr: writeError,
      outputError: (text, write) => outputError(text, write, argv, program),
      getOutHelpWidth: outHelpWidth,
    })
    .configureHelp(helpLayout)
    .exitOverride()
    .addHelpText('after', examples);
  const named = argv.find((word) => !word.startsWith('-') && word !== 'help');
  const wanted = commands.filter(([name]) => name === named);
  for (const [, load] of wanted.length > 0 ? wanted : commands) {
    const add = await load(argv);
    program.addCommand(await add(setExitCode, argv));
  }
  // The help page of a misspelt command is an error too, not the program's own page.
  if (named !== undefined && wanted.length === 0) program.helpOption(false);
  settle(program, program.name());
  program.hook('preAction', async (_, command) => {
    const wrong = settleWords(command) ?? (await settleLive(command));
    if (wrong !== undefined) command.error(`error bad-option: ${wrong}`, { code: 'commander.invalidArgument' });
    if (!namesInputTwice(command)) return;
    command.error('error bad-option: standard input can be read only once', { code: 'commander.invalidArgument' });
  });
  return program;
}

/** kubectl runs a program named `kubectl-k8snet` for `kubectl k8snet`. */
function calledAs(): string {
  // In an executable, every other path is inside of it.
  const path = (isExecutable ? process.argv0 : process.argv[1]) ?? '';
  return basename(path, '.exe') === 'kubectl-k8snet' ? 'kubectl k8snet' : 'k8snet';
}

/** Commands at every depth end and print like the program, and name their own help page after a usage error. */
function settle(command: Command, name: string): void {
  requireLate(command);
  fitAfterHelp(command);
  command.showHelpAfterError(`Run '${name} --help' for usage.`);
  for (const below of command.commands) {
    below.copyInheritedSettings(command);
    if (below.commands.length > 0) below.helpCommand('help [command]', 'print help for a command');
    settle(below, `${name} ${below.name()}`);
  }
}

/**
 * commander checks required options before unknown ones: for a misspelled `--filename` it would say "not specified",
 * without the suggestion. So required options are checked last.
 */
function requireLate(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing === undefined) return;
    const code = 'commander.missingMandatoryOptionValue';
    command.error(`error: required option '${missing.flags}' not specified`, { code });
  });
}

/**
 * Usage errors quote the command line, which may contain control characters; for a misspelled choice there is a
 * suggestion. Errors about options have the same code as refused options elsewhere.
 */
function outputError(text: string, write: (text: string) => void, argv: readonly string[], program: Command): void {
  const lines = refusal(text);
  const hint = usageHint(text, argv, optionsOf(program, argv));
  // Similar names do not help if it is known what was meant.
  const isKnown = hint !== undefined && /unknown (?:command|option)/.test(text) && !/^k8snet --version /.test(hint);
  const said = isKnown ? lines.filter((line) => !line.startsWith('(Did you mean ')) : lines;
  if (hint !== undefined) said.push(`  hint: ${escapeText(hint)}`);
  write(`${said.join('\n')}\n`);
}

/** The long options of the command that is named, at whatever depth. */
function optionsOf(program: Command, argv: readonly string[]): readonly string[] {
  let command = program;
  for (const word of argv) {
    const below = command.commands.find((one) => one.name() === word);
    if (below !== undefined) command = below;
  }
  return command.options.flatMap(({ long }) => long ?? []);
}

function refusal(text: string): string[] {
  const lines = text.trimEnd().split('\n').map(escapeText);
  lines[0] =
    lines[0]
      ?.replace(/^error: (?=(?:unknown |required )?option ')/, 'error bad-option: ')
      .replace(
        /^error: command-argument value '(.*)' is invalid for argument '([^']*)'/,
        "error: '$1' is not a valid $2",
      ) ?? '';
  const [, word = '', choices] = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(lines[0] ?? '') ?? [];
  const meant = choices === undefined ? undefined : choiceMeant(word, choices.split(', '));
  if (meant !== undefined) lines.push(`(Did you mean ${meant}?)`);
  return lines;
}

/** A word that is part of only one choice, or contains only one, is short for it: `nft`, `v6`. */
function choiceMeant(word: string, choices: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const near = choices.filter((choice) => lower !== '' && (choice.includes(lower) || lower.includes(choice)));
  return didYouMean(word, choices) ?? (near.length === 1 ? near[0] : undefined);
}

/** `argv` is for a command that only loads those of its subcommands that are named. */
type AddCommand = (setExitCode: SetExitCode, argv: readonly string[]) => Command | Promise<Command>;

async function loadDiff(argv: readonly string[]): Promise<AddCommand> {
  const ahead = readAhead(argv);
  const { diffCommand } = await import('./commands/diff.ts');
  const namesTwo = argv.filter((word) => word === '-f').length === 2;
  return (setExitCode) => diffCommand(setExitCode, ahead, namesTwo);
}

/** In the order of the help page. */
const commands: readonly (readonly [name: string, load: (argv: readonly string[]) => Promise<AddCommand>])[] = [
  ['check-service', async () => (await import('./commands/check/checkService.ts')).checkServiceCommand],
  ['compile', async () => (await import('./commands/compile.ts')).compileCommand],
  ['lint', async () => (await import('./commands/lint.ts')).lintCommand],
  ['diff', loadDiff],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['agent', async () => (await import('./commands/agent.ts')).agentCommand],
  ['status', async () => (await import('./commands/status.ts')).statusCommand],
  ['report', async () => (await import('./commands/report/report.ts')).reportCommand],
  ['canon', async () => (await import('./commands/canon.ts')).canonCommand],
  ['check', async () => (await import('./commands/check/check.ts')).checkCommand],
  ['collect', async () => (await import('./commands/collect.ts')).collectCommand],
  ['trace', async () => (await import('./commands/packet/trace.ts')).traceCommand],
  ['reach', async () => (await import('./commands/packet/reach.ts')).reachCommand],
  ['migrate', async () => (await import('./commands/migrate.ts')).migrateCommand],
  ['why', async () => (await import('./commands/packet/why.ts')).whyCommand],
  ['whois', async () => (await import('./commands/packet/whois.ts')).whoisCommand],
  ['split', async () => (await import('./commands/packet/split.ts')).splitCommand],
  ['lab', async () => (await import('./commands/lab.ts')).labCommand],
  ['import', async () => (await import('./commands/import.ts')).importCommand],
  ['convert', async () => (await import('./commands/convert.ts')).convertCommand],
  ['page', async () => (await import('./commands/page.ts')).pageCommand],
  ['explain', async () => (await import('./commands/explain.ts')).explainCommand],
  ['cleanup', async () => (await import('./commands/cleanup.ts')).cleanupCommand],
  ['policy', async () => (await import('./commands/policy/policy.ts')).policyCommand],
  ['cidr', async () => (await import('./commands/cidr.ts')).cidrCommand],
  ['emit', async () => (await import('./commands/emit/emit.ts')).emitCommand],
  ['completion', async () => (await import('./commands/completion.ts')).completionCommand],
  ['versions', async () => (await import('./commands/versions/versions.ts')).versionsCommand],
];

const examples = `
Examples:
  k8snet check-service shop/web -f cluster.yaml n1/    is it in order; if not, why, and what mends it
  k8snet compile -f service.yaml                       what iptables-save would show
  k8snet compile -f cluster.yaml --node n1 -o restore  what kube-proxy hands to iptables-restore
  kubectl get svc,endpointslices,nodes -A -o json | k8snet compile -f - --node n1
  k8snet lint -f manifests/ -R                         problems of manifests only
  k8snet check                                         golden files, for CI
  k8snet emit dns -f cluster.yaml                      the records of the cluster's DNS
  k8snet explain K8N203                                what a finding means
`;
