import { escapeText } from '../common/text/escapeText.ts';
import { type KnownProblem, type ProblemKind, problemKinds } from '../problems/problemCatalogue.ts';
import type { ProblemPage } from '../problems/problemPage.ts';
import type { ReferenceLink } from '../problems/referenceLinks.ts';
import type { ReportStyle } from '../report/reportStyle.ts';
import type { ExplainPage } from './explainPage.ts';

/** A page of `k8snet explain` for people. */
export function explainText(page: ExplainPage, style: ReportStyle): string {
  switch (page.kind) {
    case 'topic':
      return topicText(page, style);
    case 'settings':
      return page.settings.map((setting) => settingText(setting, style)).join('\n');
    case 'list':
      return listText(page, style);
    default:
      return problemText(page, style);
  }
}

type Page<Kind extends ExplainPage['kind']> = Extract<ExplainPage, { kind: Kind }>;

function problemText(page: ProblemPage, style: ReportStyle): string {
  const { code, kind, severity, title, what, why, fix, example, effect, links, aliases } = page;
  return [
    `${style.id(code)} ${severityText(severity, style)}${title === undefined ? '' : ` ${style.subject(title)}`}\n\n`,
    part('seen', what, style),
    example === undefined ? '' : `\n${indent(example)}\n`,
    why === undefined ? '' : part('why', why, style),
    part('fix', fix, style),
    aliases.length === 0 ? '' : part('also', aliases.join(', '), style),
    kind === 'diagnostic' ? '' : `\n${wrap(effect, '  ')}`,
    seeAlso(links, style),
  ].join('');
}

function seeAlso(links: readonly ReferenceLink[], style: ReportStyle): string {
  if (links.length === 0) return '';
  return `\n${style.label('  see also')}\n${links.map(({ text, url }) => `  ${url ?? text}\n`).join('')}`;
}

/** Lists and pages share one word for the mildest. */
function severityText(severity: ProblemPage['severity'], style: ReportStyle, width = 0): string {
  const word = severity === 'note' ? 'info' : severity;
  return style.severity(word.padEnd(width), word);
}

/** It contains names, hosts and paths from manifests: they are shown escaped, as text. */
function topicText({ name, title, about, links = [], services, only }: Page<'topic'>, style: ReportStyle): string {
  const paragraphs = about.map((paragraph) => `\n${wrap(paragraph, '  ')}`).join('');
  const page = `${style.id(name)} ${style.subject(title)}\n${paragraphs}${seeAlso(links, style)}`;
  if (services === undefined) return page;
  if (services.length > 0) {
    const sentences = services.map(
      ({ heading, lines }) => `\n${escapeText(heading)}\n${lines.map((line) => `  ${escapeText(line)}\n`).join('')}`,
    );
    return page + sentences.join('');
  }
  const which = only === undefined ? 'no Service of the input is concerned' : `it says nothing of Service ${only}`;
  return `${page}\n${escapeText(which)}\n`;
}

function settingText(
  { name, value, remark, effect }: Page<'settings'>['settings'][number],
  style: ReportStyle,
): string {
  const shown = value === undefined ? '' : `: ${escapeText(value)}`;
  return `${style.id(escapeText(name))}${shown}${remark === undefined ? '' : style.dim(` (${remark})`)}\n${wrap(effect, '  ')}`;
}

const headings: Readonly<Record<ProblemKind, string>> = {
  finding: 'what diff and doctor find',
  diagnostic: 'what is reported of the input',
  cause: 'causes that why and check-service name',
  change: 'differences that modes are known for',
  check: 'how a case of check can fail',
};

function listText({ problems, topics }: Page<'list'>, style: ReportStyle): string {
  const lists = problemKinds.map((kind) => [
    style.label(`${headings[kind]}:`),
    ...problems.filter((one) => one.kind === kind).map((one) => listLine(one, style)),
  ]);
  const topicLines = topics.map(({ name, title }) => `${style.id(name)} ${title}`);
  return [...lists, [style.label('topics:'), ...topicLines]].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function listLine({ code, entry: { severity, title, what, isAdvice } }: KnownProblem, style: ReportStyle): string {
  const advice = isAdvice === true ? style.dim(' (advice)') : '';
  return `${style.id(code)} ${severityText(severity, style, 7)} ${title ?? what}${advice}`;
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

/** Lines of at most 100 columns, except for a longer command in backticks: it can only be pasted in one piece. */
function wrap(text: string, margin: string): string {
  const lines: string[] = [];
  let line = margin.trimEnd();
  for (const word of text.match(/(?:[^\s`]|`[^`]*`|`)+/g) ?? []) {
    if (line.length + word.length >= widest && line.trim() !== '') {
      lines.push(line);
      line = margin.trimEnd();
    }
    line = line.trim() === '' ? `${margin}${word}` : `${line} ${word}`;
  }
  return [...lines, line].map((one) => `${one}\n`).join('');
}

const widest = 100;
