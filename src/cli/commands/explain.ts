import { Command } from 'commander';
import { ascending } from '../../common/ascending.ts';
import { didYouMean } from '../../common/didYouMean.ts';
import { escapeText } from '../../common/escapeText.ts';
import { compile } from '../../core.ts';
import type { DiagnosticKind } from '../../diagnostics/catalogue.ts';
import type { ExplainedSetting } from '../../explain/explainSettings.ts';
import type { FindingId } from '../../findings/finding.ts';
import type { FindingPage } from '../../report/findingPage.ts';
import type { ReportStyle } from '../../report/reportStyle.ts';
import type { TalkOptions } from '../commonOptions.ts';
import { addTalkOptions, collect, type InputOptions } from '../commonOptions.ts';
import { exitCodes } from '../exitCodes.ts';
import type { SetExitCode } from '../setExitCode.ts';
import { chalkFor, reportStyle } from '../style.ts';
import { type Talk, talk } from '../talk.ts';
import { addTargetOptions, type TargetFlags } from '../targetOptions.ts';
import { writeOut } from '../writeOut.ts';

type ExplainOptions = TalkOptions &
  TargetFlags &
  Pick<InputOptions, 'recursive'> & {
    readonly list: boolean;
    readonly filename?: readonly string[];
    readonly service?: string;
  };

/** `k8snet explain K8N203`: what a finding or a diagnostic means and how to fix it. */
export function explainCommand(setExitCode: SetExitCode): Command {
  const command = new Command('explain')
    .summary('tell what a finding, a diagnostic or a concept means')
    .description(
      'Prints the page of a finding (K8N203) or of a diagnostic (duplicate-cluster-ip): what is seen, why, how to fix it, an example. Topics (session-affinity, cluster-ip, node-port) are explained in general, and with -f for the Services of the input. --config alone tells what each setting of kube-proxy changes.',
    )
    .argument('[id...]', 'ids of findings, codes of diagnostics, topics')
    .option('--list', 'list all findings and topics', false)
    .option('-f, --filename <path>', 'explain a topic for these manifests; can be repeated', collect)
    .option('-R, --recursive', 'read directories and everything below them', false)
    .option('--service <name>', 'explain a topic for this Service: namespace/name');
  addTargetOptions(command);
  addTalkOptions(command);
  return command.addHelpText('after', examples).action(async (ids: readonly string[], options: ExplainOptions) => {
    setExitCode(await explainAction(ids, options));
  });
}

async function explainAction(ids: readonly string[], options: ExplainOptions): Promise<number> {
  const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));
  if (ids.length === 0 && options.config !== undefined) return explainConfig(options);
  if (options.list || ids.length === 0) {
    writeOut([await list(style)]);
    return exitCodes.ok;
  }
  const [{ findingPage }, { findingCatalogue: findings }, { catalogue: diagnostics }, { topics }] = await Promise.all([
    import('../../report/findingPage.ts'),
    import('../../findings/findingCatalogue.ts'),
    import('../../diagnostics/catalogue.ts'),
    import('../../explain/topics.ts'),
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
    } else if (Object.hasOwn(topics, id)) {
      const text = await topicText(id, options, said, style);
      if (text !== undefined) pages.push(text);
    } else {
      const meant = didYouMean(id, [...Object.keys(findings), ...Object.keys(diagnostics), ...Object.keys(topics)]);
      said.report({
        code: 'unknown-finding',
        severity: 'error',
        message: `${JSON.stringify(id)} is neither a finding, a diagnostic nor a topic`,
        at: [],
        hint: meant === undefined ? 'k8snet explain --list names all findings and topics' : `did you mean ${meant}?`,
      });
    }
  }
  writeOut([pages.join('\n')]);
  await said.flush({ textOf: () => undefined, formatOf: () => 'none' });
  return said.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

/** A topic in general, then for the Services of the input, if there is one. Undefined: an error was reported. */
async function topicText(
  name: string,
  options: ExplainOptions,
  said: Talk,
  style: ReportStyle,
): Promise<string | undefined> {
  const { topics } = await import('../../explain/topics.ts');
  const topic = topics[name];
  if (topic === undefined) return undefined;
  const about = topic.about.map((paragraph) => `\n${wrap(paragraph, '  ')}`).join('');
  const page = `${style.id(name)} ${style.subject(topic.title)}\n${about}`;
  if (options.filename === undefined) return page;
  const [{ readInput }, { explainTopic }] = await Promise.all([
    import('../readInput.ts'),
    import('../../explain/explainTopic.ts'),
  ]);
  const { objects, options: target, sources } = await readInput({ ...options, filename: options.filename }, said);
  const compiled = await compile(objects, target, said.report);
  await said.flush(sources);
  if (compiled === undefined) return undefined;
  const text = explainTopic(topic, compiled, options.service);
  if (text !== undefined) return page + text;
  const which =
    options.service === undefined ? 'no Service of the input has any' : `it says nothing of Service ${options.service}`;
  return `${page}\n${escapeText(which)}\n`;
}

/** What the settings of a configuration change. */
async function explainConfig(options: ExplainOptions): Promise<number> {
  const said = talk(options);
  const [{ readInput }, { compileInput }, { readConfig }, { explainSettings }] = await Promise.all([
    import('../readInput.ts'),
    import('../../pipeline/compileInput.ts'),
    import('../../pipeline/readConfig.ts'),
    import('../../explain/explainSettings.ts'),
  ]);
  const { objects, options: target, sources } = await readInput({ ...options, filename: [] }, said);
  const input = compileInput(objects, target, said.report);
  const config = input && readConfig(input, said.report);
  const isUsable = config !== undefined && !said.hasErrors();
  if (isUsable) {
    const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));
    const explained = explainSettings(config, options.mode ?? (config.mode || 'iptables'));
    writeOut([explained.map((one) => settingText(one, style)).join('\n')]);
  }
  await said.flush(sources);
  return isUsable ? exitCodes.ok : exitCodes.badInput;
}

function settingText({ name, value, remark, effect }: ExplainedSetting, style: ReportStyle): string {
  const shown = value === undefined ? '' : `: ${escapeText(value)}`;
  return `${style.id(escapeText(name))}${shown}${remark === undefined ? '' : style.dim(` (${remark})`)}\n${wrap(effect, '  ')}`;
}

/** `k8n203` and `203` are meant too. */
function findingId(text: string): FindingId {
  return (/^\d+$/.test(text) ? `K8N${text}` : text.toUpperCase()) as FindingId;
}

async function list(style: ReportStyle): Promise<string> {
  const [{ findingCatalogue }, { topics }] = await Promise.all([
    import('../../findings/findingCatalogue.ts'),
    import('../../explain/topics.ts'),
  ]);
  const named = Object.entries(topics).map(([name, { title }]) => `${style.id(name)} ${title}\n`);
  const findings = Object.entries(findingCatalogue)
    .sort(([one], [other]) => ascending(one, other))
    .map(([id, entry]) => {
      const { severity, title, isAdvice } = entry;
      const word = style.severity(severity.padEnd(7), severity);
      return `${style.id(id)} ${word} ${title}${isAdvice ? style.dim(' (advice)') : ''}\n`;
    });
  return [...findings, ...named].join('');
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
  k8snet explain session-affinity -f cluster.yaml --service shop/web
  k8snet explain cluster-ip node-port -f cluster.yaml --node n1 --mode ipvs
  k8snet explain --config kube-proxy.yaml              what each setting changes
`;
