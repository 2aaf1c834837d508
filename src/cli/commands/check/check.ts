import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Command, Option } from 'commander';
import type { CheckCase } from '../../../check/checkCase.ts';
import type { GoldenResult } from '../../../check/compareGolden.ts';
import { count } from '../../../common/text/count.ts';
import { didYouMean } from '../../../common/text/didYouMean.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import { bothSources } from '../../../load/bothSources.ts';
import type { Sources } from '../../../load/sources.ts';
import { githubAnnotation } from '../../../report/forms/githubAnnotation.ts';
import { patchLines } from '../../../report/forms/patchLines.ts';
import { relativeFile } from '../../../report/relativeFile.ts';
import type { ReportedProblem } from '../../../report/reportedProblem.ts';
import { compileCheckCase } from '../../objects/compileCheckCase.ts';
import { addMessageOptions, type MessageOptions } from '../../options/commonOptions.ts';
import type { CaseResult } from '../../write/checkReport.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages, type Messages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { chalkFor, reportStyle } from '../../write/style.ts';
import { writeFolder } from '../../write/writeFolder.ts';
import { writeOut } from '../../write/writeOut.ts';

interface CheckCommandOptions extends MessageOptions {
  readonly config: string;
  readonly update: boolean;
  readonly output: (typeof forms)[number];
}

const forms = ['text', 'json', 'sarif', 'junit', 'github'] as const;

/** `k8snet check`: compares compiled manifests with golden files, for CI. */
export function checkCommand(setExitCode: SetExitCode): Command {
  const command = new Command('check')
    .summary('compare what manifests compile to with golden files')
    .description(
      'Reads k8snet.yaml, compiles each of its cases and compares the result with its golden file, by bytes or by what the rules say. What differs is printed as a unified diff; in GitHub Actions each case that differs is also shown at its golden file.',
    )
    .argument('[case...]', 'names of cases (default: all)')
    .option('-c, --config <file>', 'the file with the cases', 'k8snet.yaml')
    .option('--update', 'write what is printed now into the golden files', false)
    .addOption(new Option('-o, --output <form>', 'form of the report').choices([...forms]).default('text'));
  addMessageOptions(command);
  return command
    .addHelpText('after', examples)
    .action(async (names: readonly string[], options: CheckCommandOptions) => {
      setExitCode(await checkAction(names, options));
    });
}

type CaseOutcome = CaseResult['outcome'];

async function checkAction(names: readonly string[], options: CheckCommandOptions): Promise<number> {
  const messages = collectMessages(options);
  const [{ readCheckFile }, { compareGolden }, { createTwoFilesPatch }] = await Promise.all([
    import('../../../check/readCheckFile.ts'),
    import('../../../check/compareGolden.ts'),
    import('diff'),
  ]);
  const file = await readCheckFile(options.config, messages.report);
  const cases = chooseCases(file.cases, names, messages.report);
  await messages.flush(file.sources);
  if (messages.hasErrors()) return exitCodes.badInput;
  const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));

  const results: CaseResult[] = [];
  const isText = options.output === 'text';
  for (const one of cases) {
    const ofCase = talkOfCase(options);
    const { text, sources } = await compileCheckCase(one, ofCase);
    const name = escapeText(one.name);
    let outcome: CaseOutcome = 'failed';
    let result: GoldenResult | undefined;
    if (text !== undefined && !ofCase.hasErrors()) {
      const golden = readGolden(one, ofCase.report);
      result = compareGolden(one, golden, text, createTwoFilesPatch);
      outcome = options.update && result.kind !== 'same' ? update(one, text, ofCase.report) : result.kind;
      if (outcome !== 'unwritten' && ofCase.hasErrors()) outcome = 'failed';
      else if (!options.update && isText) writeOut(differenceLines(one, result, style));
    }
    const both = bothSources(file.sources, sources);
    await ofCase.flush(both);
    results.push({ one, outcome, result, problems: isText ? [] : await problemsOf(ofCase, both) });
    const isFine = outcome === 'same' || outcome === 'updated';
    if (isText && (!isFine || !options.quiet))
      writeOut([`${(isFine ? style.added : style.removed)(words[outcome])} ${name}\n`]);
  }
  const outcomes = results.map(({ outcome }) => outcome);
  await printSum(results, summary(outcomes), options.output);
  if (outcomes.includes('failed')) return exitCodes.badInput;
  if (outcomes.includes('unwritten')) return exitCodes.cannotWrite;
  return outcomes.some((outcome) => outcome === 'differs' || outcome === 'missing') ? exitCodes.differs : exitCodes.ok;
}

async function printSum(
  results: readonly CaseResult[],
  sum: string,
  form: CheckCommandOptions['output'],
): Promise<void> {
  if (form === 'text') {
    writeOut([`${sum}\n`]);
    return;
  }
  const [{ checkReport }, { diagnosticCatalogue }] = await Promise.all([
    import('../../write/checkReport.ts'),
    import('../../../problems/catalogue/diagnostics.ts'),
  ]);
  writeOut(checkReport(results, form, sum, diagnosticCatalogue));
}

/** What makes a case fail, with places. */
async function problemsOf(messages: Messages, sources: Sources): Promise<readonly ReportedProblem[]> {
  const errors = messages.diagnostics().filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return [];
  const [{ problemsOfDiagnostics }, { createLocator }] = await Promise.all([
    import('../../../report/problemsOfDiagnostics.ts'),
    import('../../../load/locate.ts'),
  ]);
  const places = errors.flatMap(({ at }) => at);
  return problemsOfDiagnostics(errors, await createLocator(sources, places), () => true);
}

const words: Readonly<Record<CaseOutcome, string>> = {
  same: 'same   ',
  differs: 'differs',
  missing: 'missing',
  updated: 'updated',
  failed: 'failed ',
  unwritten: 'failed ',
};

/** Notes of a compile run (kinds that give no rules and the like) are not news in a check. */
function talkOfCase(options: CheckCommandOptions): Messages {
  const messages = collectMessages(options);
  return {
    ...messages,
    report: (diagnostic) => {
      if (diagnostic.severity !== 'note' || options.verbose) messages.report(diagnostic);
    },
  };
}

function chooseCases(cases: readonly CheckCase[], names: readonly string[], report: Report): readonly CheckCase[] {
  const known = new Set(cases.map(({ name }) => name));
  for (const name of names) {
    if (known.has(name) || cases.length === 0) continue;
    const meant = didYouMean(name, known);
    const hint = meant === undefined ? `cases: ${[...known].slice(0, 5).join(', ')}` : `did you mean ${meant}?`;
    report({ code: 'bad-option', severity: 'error', message: `case ${JSON.stringify(name)} not found`, at: [], hint });
  }
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
}

function readGolden({ golden }: CheckCase, report: Report): string | undefined {
  if (!existsSync(golden)) return undefined;
  try {
    return readFileSync(golden, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    report({ code: 'cannot-read', severity: 'error', message: `cannot read ${golden} (${code})`, at: [] });
    return undefined;
  }
}

function update({ golden, form }: CheckCase, text: string, report: Report): CaseOutcome {
  const artefact = { name: basename(golden), family: undefined, form, text: () => [text] } as const;
  const written = writeFolder(dirname(golden), [{ ...artefact, form: form === 'json' ? 'state' : form }], report);
  return written === undefined ? 'unwritten' : 'updated';
}

function* differenceLines(
  one: CheckCase,
  result: GoldenResult,
  style: ReturnType<typeof reportStyle>,
): Iterable<string> {
  if (result.kind === 'differs') yield patchLines(result.patch, style);
  if (result.kind !== 'same' && process.env.GITHUB_ACTIONS === 'true') yield annotation(one, result);
}

function annotation(one: CheckCase, result: Exclude<GoldenResult, { kind: 'same' }>): string {
  const message =
    result.kind === 'missing'
      ? 'there is no golden file; k8snet check --update writes it'
      : `${count(result.removed, 'line')} of the golden file no longer printed, ${result.added} new; k8snet check --update accepts the change`;
  return githubAnnotation({
    level: 'error',
    file: escapeText(relativeFile(one.golden, process.env.GITHUB_WORKSPACE) ?? one.golden),
    line: result.kind === 'differs' ? result.line : undefined,
    title: `k8snet check ${escapeText(one.name)}`,
    message,
  });
}

/** `3 cases: 2 same, 1 differs`. */
function summary(outcomes: readonly CaseOutcome[]): string {
  const parts = (Object.keys(words) as CaseOutcome[])
    .map((kind) => ({ kind, number: outcomes.filter((outcome) => outcome === kind).length }))
    .filter(({ number }) => number > 0)
    .map(({ kind, number }) => `${number} ${kind === 'differs' && number > 1 ? 'differ' : kind}`);
  return `${count(outcomes.length, 'case')}: ${parts.join(', ')}`;
}

const examples = `
Examples:
  k8snet check
  k8snet check -c deploy/k8snet.yaml node-1
  k8snet check --update && git diff
  k8snet check -o junit > check.xml

k8snet.yaml:
  cases:
    - name: node-1
      manifests: [manifests/]
      options: { kubeVersion: '1.30', node: node-1 }
      golden: golden/node-1.save

Exit status: 0 all same or updated, 1 some differ, 2 bad usage or input, 70 a bug of k8snet.
`;
