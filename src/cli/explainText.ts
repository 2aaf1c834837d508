import { escapeText } from '../common/escapeText.ts';
import type { ReportStyle } from '../report/reportStyle.ts';
import type { ExplainPage } from './explainPage.ts';

/** A page of `k8snet explain` for people. */
export function explainText(page: ExplainPage, style: ReportStyle): string {
  switch (page.kind) {
    case 'finding':
      return findingText(page, style);
    case 'diagnostic':
      return diagnosticText(page, style);
    case 'topic':
      return topicText(page, style);
    case 'settings':
      return page.settings.map((setting) => settingText(setting, style)).join('\n');
    case 'list':
      return listText(page, style);
  }
}

type Page<Kind extends ExplainPage['kind']> = Extract<ExplainPage, { kind: Kind }>;

function findingText(page: Page<'finding'>, style: ReportStyle): string {
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

function diagnosticText({ code, severity, summary, remedy }: Page<'diagnostic'>, style: ReportStyle): string {
  const word = severity === 'note' ? 'info' : severity;
  return `${style.id(code)} ${style.severity(severity, word)}\n\n${part('seen', summary, style)}${part('fix', remedy, style)}`;
}

/** Names, hosts and paths of manifests stand in it: whatever they hold is shown as text. */
function topicText({ name, title, about, services, only }: Page<'topic'>, style: ReportStyle): string {
  const paragraphs = about.map((paragraph) => `\n${wrap(paragraph, '  ')}`).join('');
  const page = `${style.id(name)} ${style.subject(title)}\n${paragraphs}`;
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

function listText({ findings, topics }: Page<'list'>, style: ReportStyle): string {
  return [
    ...findings.map(({ id, severity, title, isAdvice }) => {
      const word = style.severity(severity.padEnd(7), severity);
      return `${style.id(id)} ${word} ${title}${isAdvice ? style.dim(' (advice)') : ''}\n`;
    }),
    ...topics.map(({ name, title }) => `${style.id(name)} ${title}\n`),
  ].join('');
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

/** Lines of at most 100 columns, but for a longer command in backticks: it can be pasted only in one piece. */
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
