import { Command, Option } from 'commander';
import { count } from '../../common/text/count.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { orderDiagnostics } from '../../diagnostics/orderDiagnostics.ts';
import type { Locate } from '../../diagnostics/place.ts';
import { createLocator } from '../../load/locate.ts';
import { diagnosticCatalogue } from '../../problems/catalogue/diagnostics.ts';
import type { DiagnosticCode } from '../../problems/problemCode.ts';
import type { Severity } from '../../problems/severity.ts';
import { lint } from '../../public/core.ts';
import { told } from '../../public/result.ts';
import { problemsOfDiagnostics } from '../../report/problemsOfDiagnostics.ts';
import type { ProblemReport } from '../../report/reportedProblem.ts';
import { lintNeeds } from '../objects/liveNeeds.ts';
import { readInput } from '../objects/readInput.ts';
import {
  addEmptyOption,
  addInputOptions,
  addMessageOptions,
  type EmptyFlags,
  type InputOptions,
  type MessageOptions,
} from '../options/commonOptions.ts';
import { ignoredCodes } from '../options/ignoredCodes.ts';
import { addTargetOptions, type TargetFlags } from '../options/targetOptions.ts';
import { version } from '../version.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages } from '../write/messages.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { chalkFor, diagnosticStyle } from '../write/style.ts';
import { writeOut } from '../write/writeOut.ts';

const forms = ['text', 'json', 'sarif', 'junit', 'github'] as const;

type LintFlags = InputOptions &
  TargetFlags &
  EmptyFlags &
  MessageOptions & {
    readonly output: (typeof forms)[number];
    readonly ignore?: readonly DiagnosticCode[];
    readonly failOn: Severity;
    readonly cni?: string;
  };

/**
 * `k8snet lint`: prints the diagnostics of a compile run, and what goes wrong although the API server accepts it, on
 * standard output.
 */
export function lintCommand(setExitCode: SetExitCode): Command {
  const command = new Command('lint')
    .summary('check manifests')
    .description(
      'Checks manifests as the API server and kube-proxy would, across objects too, and prints what is wrong: what they reject, and what they accept although it does not work or does not mean what it seems to. Problems are listed by file and line, with a summary.',
    );
  addInputOptions(command);
  addTargetOptions(command);
  command
    .option('--cni <name>', 'network plugin of the cluster, such as flannel or calico', (text: string) =>
      text.toLowerCase(),
    )
    .addOption(new Option('-o, --output <form>', 'form of the report').choices([...forms]).default('text'))
    .option('--ignore <codes>', 'problems to leave out, by code; can be repeated', ignoredCodes)
    .addOption(
      new Option('--fail-on <severity>', 'lowest severity that makes the run fail')
        .choices(['error', 'warning', 'note'])
        .default('error'),
    );
  addEmptyOption(command, 'do not fail if there is nothing to check');
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (options: LintFlags) => {
    setExitCode(await lintAction(options));
  });
}

async function lintAction(options: LintFlags): Promise<number> {
  // Ignored problems are left out below, including errors.
  const messages = collectMessages({ color: options.color, quiet: options.quiet, verbose: options.verbose });
  const { objects, options: target, sources } = await readInput(options, messages, false, lintNeeds);
  const certificates = await certificateReading(objects);
  const compiled = await told(lint(objects, { ...target, cni: options.cni, certificates }), messages.report);
  const hasConfig = [...objects, ...target.configObjects].some(({ kind }) => kind === 'KubeProxyConfiguration');
  const isKnown = messages.diagnostics().some(({ code }) => code === 'kinds-not-followed');
  if (compiled?.given.objects === 0 && !hasConfig && !isKnown && !options.allowEmpty) {
    messages.report({
      code: 'no-objects',
      severity: 'error',
      message: 'nothing to check: no object of a kind that k8snet reads',
      at: [],
      hint: 'check the paths, or the command that writes the input; --allow-empty if it is meant',
    });
  }
  const ignored = new Set(options.ignore);
  const wanted = messages.diagnostics().filter(({ code }) => !ignored.has(code));
  const hasEndpoints = objects.some(({ kind }) => endpointKinds.has(kind));
  const isOfManifests = ({ code, severity }: Diagnostic) =>
    severity === 'error' || !(aboutTheRun.has(code) || (code === 'no-endpoints' && !hasEndpoints));
  const isShown = (diagnostic: Diagnostic) => {
    if (options.quiet) return diagnostic.severity === 'error';
    return options.output === 'json' || options.verbose || isOfManifests(diagnostic);
  };
  const shown = wanted.filter(isShown);
  const locate = await createLocator(
    sources,
    shown.flatMap(({ at }) => at),
  );
  const read = objects.length + target.configObjects.length;
  const checked = compiled && compiled.given.objects + (hasConfig ? 1 : 0);
  const fails = (one: Diagnostic) => isOfManifests(one) && order.indexOf(one.severity) >= order.indexOf(options.failOn);
  await print(orderDiagnostics(shown, locate), locate, summary(read, checked, shown), fails, options);
  if (wanted.some(({ severity }) => severity === 'error')) return exitCodes.badInput;
  return wanted.some(fails) ? exitCodes.differs : exitCodes.ok;
}

/** A library for a few inputs. */
async function certificateReading(
  objects: readonly { readonly kind: string }[],
): Promise<import('../../objects/kinds/certificate.ts').CertificateReading | undefined> {
  if (!objects.some(({ kind }) => kind === 'Secret')) return undefined;
  const { readCertificate } = await import('../objects/readCertificate.ts');
  return { read: readCertificate, now: Date.now() };
}

/**
 * Diagnostics about a compile run instead of the manifests: values that a cluster fills in, kinds that give no rules,
 * the node that rules would be for. `-v` and `-o json` show them; warnings among them do not make a run fail.
 */
const aboutTheRun: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'allocated-cluster-ip',
  'allocated-health-check-port',
  'allocated-node-port',
  'assumed-pods',
  'node-not-chosen',
  'proxy-config-map',
  'service-without-rules',
  'skipped-kinds',
]);

/** If the input has no endpoints, like manifests from a repository, only the cluster knows them. */
const endpointKinds: ReadonlySet<string> = new Set(['Endpoints', 'EndpointSlice', 'Pod']);

const order: readonly Severity[] = ['note', 'warning', 'error'];

/** `26 objects checked, 14 of other kinds skipped: 1 error, 2 warnings`. */
function summary(objects: number, checked: number | undefined, shown: readonly Diagnostic[]): string {
  const skipped = checked === undefined ? 0 : Math.max(0, objects - checked);
  const counts = (['error', 'warning', 'note'] as const)
    .map((severity) => ({ severity, number: shown.filter((one) => one.severity === severity).length }))
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => count(number, severity));
  const others = skipped > 0 ? `, ${skipped} of other kinds skipped` : '';
  return `${count(objects - skipped, 'object')} checked${others}: ${counts.length === 0 ? 'no problems' : counts.join(', ')}`;
}

async function print(
  diagnostics: readonly Diagnostic[],
  locate: Locate,
  sum: string,
  fails: (diagnostic: Diagnostic) => boolean,
  { output, quiet, color }: LintFlags,
): Promise<void> {
  if (output === 'json') {
    const { renderJson } = await import('../../diagnostics/renderJson.ts');
    writeOut([renderJson(diagnostics, locate)]);
  } else if (output === 'text') {
    const { renderText } = await import('../../diagnostics/renderText.ts');
    const style = diagnosticStyle(chalkFor(color, process.stdout.isTTY === true, process.env));
    writeOut([renderText(diagnostics, locate, style), ...(quiet ? [] : [`${sum}\n`])]);
  } else {
    const { renderProblems } = await import('../../report/forms/renderProblems.ts');
    const problems = problemsOfDiagnostics(diagnostics, locate, fails);
    const report: ProblemReport = {
      command: 'k8snet lint',
      problems,
      rules: new Map(Object.entries(diagnosticCatalogue)),
      passed: [],
      summary: sum,
    };
    writeOut(renderProblems(report, output, { toolVersion: version, baseFolder: process.cwd() }));
  }
}

const examples = `
Examples:
  k8snet lint -f service.yaml
  k8snet lint -f manifests/ -R -o sarif > lint.sarif
  k8snet lint -f manifests/ --ignore unknown-field --fail-on warning
  k8snet lint -f manifests/ -R --service-cidr 10.96.0.0/12 --cluster-cidr 10.244.0.0/16 --cni flannel
  helm template chart/ | k8snet lint -f -

Values that the cluster fills in, and objects of kinds that give no rules, are listed with -v and in -o json only.
Code scanning takes -o sarif; in GitHub Actions -o github shows each problem at its line.

Exit status: 0 no errors, 1 problems that --fail-on names but no errors, 2 errors or nothing to check, 70 a bug of k8snet.
`;
