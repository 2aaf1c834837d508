import type { ProblemPage } from './problemPage.ts';

/** The page of one finding for `docs/findings/`. */
export function findingMarkdown(page: ProblemPage): string {
  const { code, severity, title, what, why = '', fix, example = '', effect, links, aliases } = page;
  const language = /^(?:\$ |[-:*#+]|add |table |map |set |udp )/.test(example) ? 'text' : 'yaml';
  const refs = links.map(({ text, url }) => (url === undefined ? `- ${text}` : `- [${text}](${url})`));
  return [
    `# ${code}: ${title}`,
    '',
    `*${severity}*. ${effect}`,
    '',
    ...(aliases.length === 0 ? [] : [`${aliasText(aliases)}`, '']),
    '## What is seen',
    '',
    sentence(what),
    '',
    `\`\`\`${language}`,
    example,
    '```',
    '',
    '## Why',
    '',
    why,
    '',
    '## How to fix it',
    '',
    fix,
    '',
    ...(refs.length === 0 ? [] : ['## See also', '', ...refs, '']),
    '## If it is intended',
    '',
    `\`--ignore ${code}\`, the annotation \`k8snet.io/ignore: ${code}\` on the object, or \`# k8snet:ignore ${code}\` in its YAML document.`,
    '',
    '[All findings](README.md)',
    '',
  ].join('\n');
}

/** The section of one diagnostic, cause or mode change, on the page that lists all of its kind. */
export function problemSection({ code, severity, title, what, why, fix, aliases }: ProblemPage): string {
  return [
    `## ${code}`,
    `*${severity}* — ${title === undefined ? what : `${sentence(title)} ${sentence(what)}`}`,
    ...(why === undefined ? [] : [why]),
    fix,
    ...(aliases.length === 0 ? [] : [aliasText(aliases)]),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function aliasText(aliases: readonly string[]): string {
  return `Also known as ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`;
}

/** `a rule …` as a sentence. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
