import type { FindingPage } from './findingPage.ts';

/** The page of one finding for `docs/findings/`. */
export function findingMarkdown(page: FindingPage): string {
  const { id, severity, title, seen, cause, fix, example, effect, links } = page;
  const language = /^(?:\$ |[-:*#+]|add |table |map |set |udp )/.test(example) ? 'text' : 'yaml';
  const refs = links.map(({ text, url }) => (url === undefined ? `- ${text}` : `- [${text}](${url})`));
  return [
    `# ${id}: ${title}`,
    '',
    `*${severity}*. ${effect}`,
    '',
    '## What is seen',
    '',
    sentence(seen),
    '',
    `\`\`\`${language}`,
    example,
    '```',
    '',
    '## Why',
    '',
    cause,
    '',
    '## How to fix it',
    '',
    fix,
    '',
    ...(refs.length === 0 ? [] : ['## See also', '', ...refs, '']),
    '## If it is intended',
    '',
    `\`--ignore ${id}\`, the annotation \`k8snet.io/ignore: ${id}\` on the object, or \`# k8snet:ignore ${id}\` in its YAML document.`,
    '',
    '[All findings](README.md)',
    '',
  ].join('\n');
}

/** `a rule …` as a sentence. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
