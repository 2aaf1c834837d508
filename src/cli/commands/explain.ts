import { Command } from 'commander';
import { didYouMean } from '../../common/didYouMean.ts';
import type { DiagnosticKind } from '../../diagnostics/catalogue.ts';
import type { FindingId } from '../../findings/finding.ts';
import type { FindingPage } from '../../report/findingPage.ts';
import type { ReportStyle } from '../../report/reportStyle.ts';
import type { TalkOptions } from '../commonOptions.ts';
import { addTalkOptions } from '../commonOptions.ts';
import { exitCodes } from '../exitCodes.ts';
import type { SetExitCode } from '../setExitCode.ts';
import { chalkFor, reportStyle } from '../style.ts';
import { talk } from '../talk.ts';
import { writeOut } from '../writeOut.ts';

interface ExplainOptions extends TalkOptions {
  readonly list: boolean;
}

/** `k8snet explain K8N203`: what a finding or a diagnostic means and how it is mended. */
export function explainCommand(setExitCode: SetExitCode): Command {
  const command = new Command('explain')
    .summary('tell what a finding or a diagnostic means')
    .description(
      'Prints the page of a finding (K8N203) or of a diagnostic (duplicate-cluster-ip): what is seen, why, how it is mended, an example.',
    )
    .argument('[id...]', 'ids of findings, codes of diagnostics')
    .option('--list', 'list all findings', false);
  addTalkOptions(command);
  return command.addHelpText('after', examples).action(async (ids: readonly string[], options: ExplainOptions) => {
    setExitCode(await explainAction(ids, options));
  });
}

async function explainAction(ids: readonly string[], options: ExplainOptions): Promise<number> {
  const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));
  if (options.list || ids.length === 0) {
    writeOut([await list(style)]);
    return exitCodes.ok;
  }
  const [{ findingPage }, { findingCatalogue: findings }, { catalogue: diagnostics }] = await Promise.all([
    import('../../report/findingPage.ts'),
    import('../../findings/findingCatalogue.ts'),
    import('../../diagnostics/catalogue.ts'),
  ]);
  const said = talk(options);
  const pages: string[] = [];
  for (const id of ids) {
    const page = findingPage(findingId(id));
    if (page !== undefined) {
      pages.push(findingText(page, style));
    } else if (Object.hasOwn(diagnostics, id)) {
      pages.push(
        diagnosticText(id, (diagnostics as Readonly<Record<string, DiagnosticKind>>)[id] as DiagnosticKind, style),
      );
    } else {
      const meant = didYouMean(id, [...Object.keys(findings), ...Object.keys(diagnostics)]);
      said.report({
        code: 'unknown-finding',
        severity: 'error',
        message: `${JSON.stringify(id)} is neither a finding nor a diagnostic`,
        at: [],
        hint: meant === undefined ? 'k8snet explain --list names all findings' : `did you mean ${meant}?`,
      });
    }
  }
  writeOut([pages.join('\n')]);
  await said.flush({ textOf: () => undefined, formatOf: () => 'none' });
  return said.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

/** `k8n203` and `203` are meant too. */
function findingId(text: string): FindingId {
  return (/^\d+$/.test(text) ? `K8N${text}` : text.toUpperCase()) as FindingId;
}

async function list(style: ReportStyle): Promise<string> {
  const { findingCatalogue } = await import('../../findings/findingCatalogue.ts');
  return Object.entries(findingCatalogue)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, entry]) => {
      const { severity, title, isAdvice } = entry;
      const word = style.severity(severity.padEnd(7), severity);
      return `${style.id(id)} ${word} ${title}${isAdvice ? style.dim(' (advice)') : ''}\n`;
    })
    .join('');
}

function findingText(page: FindingPage, style: ReportStyle): string {
  const { id, severity, title, seen, cause, fix, example, effect, links } = page;
  const refs = links.map(({ text, url }) => `  ${url ?? text}\n`).join('');
  return [
    `${style.id(id)} ${style.severity(severity, severity)} ${style.subject(title)}\n\n`,
    part('seen', seen, style),
    `\n${indent(example)}\n`,
    part('why', cause, style),
    part('fix', fix, style),
    `\n${wrap(effect, '  ')}`,
    refs === '' ? '' : `\n${style.label('  see also')}\n${refs}`,
  ].join('');
}

function diagnosticText(code: string, { severity, summary, remedy }: DiagnosticKind, style: ReportStyle): string {
  const word = severity === 'note' ? 'info' : severity;
  return `${style.id(code)} ${style.severity(severity, word)}\n\n${part('seen', summary, style)}${part('fix', remedy, style)}`;
}

function part(label: string, text: string, style: ReportStyle): string {
  return wrap(text, '       ').replace(/^ {7}/, `  ${style.label(label.padEnd(4))} `);
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('');
}

/** Lines of at most 100 columns. */
function wrap(text: string, margin: string): string {
  const lines: string[] = [];
  let line = margin.trimEnd();
  for (const word of text.split(' ')) {
    if (line.length + word.length >= widest && line.trim() !== '') {
      lines.push(line);
      line = margin.trimEnd();
    }
    line = line.trim() === '' ? `${margin}${word}` : `${line} ${word}`;
  }
  return [...lines, line].map((one) => `${one}\n`).join('');
}

const widest = 100;

const examples = `
Examples:
  k8snet explain K8N203
  k8snet explain duplicate-cluster-ip
  k8snet explain --list
`;
