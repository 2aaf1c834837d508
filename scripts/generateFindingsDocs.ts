// Writes docs/findings/ from the findingCatalogue of findings; `--check` only tells whether it is up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindingId } from '../src/findings/finding.ts';
import { findingCatalogue } from '../src/findings/findingCatalogue.ts';
import { findingMarkdown } from '../src/report/pages/findingMarkdown.ts';
import { type FindingPage, findingPage } from '../src/report/pages/findingPage.ts';

const folder = join(import.meta.dirname, '../docs/findings');

const groups: Readonly<Record<string, string>> = {
  1: 'The dump',
  2: 'Sync',
  3: 'Balance',
  4: 'NAT',
  5: 'Reachability',
  6: 'Other programs',
  7: 'IPVS mode',
  8: 'nftables mode',
  9: 'Objects',
};

const pages = (Object.keys(findingCatalogue).sort() as FindingId[]).map((id) => findingPage(id) as FindingPage);
const files = new Map(pages.map((page) => [`${page.id}.md`, findingMarkdown(page)]));
files.set('README.md', index());

if (process.argv.includes('--check')) {
  const stale = [...files].filter(
    ([name, text]) => !existsSync(join(folder, name)) || readFileSync(join(folder, name), 'utf8') !== text,
  );
  const names = [...stale.map(([name]) => name), ...leftOvers()];
  if (names.length > 0) {
    console.error(`docs/findings is out of date (${names.join(', ')}): run \`npm run generate\``);
    process.exitCode = 1;
  }
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of leftOvers()) rmSync(join(folder, name));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}

function index(): string {
  const sections = Object.entries(groups).map(([digit, title]) => {
    const rows = pages
      .filter(({ id }) => id.startsWith(`K8N${digit}`))
      .map(
        ({ id, severity, title: what, isAdvice }) =>
          `| [${id}](${id}.md) | ${severity}${isAdvice ? ', advice' : ''} | ${what} |`,
      );
    return `## ${title}\n\n| id | severity | what |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Findings

What \`k8snet diff\` and \`k8snet doctor\` can find, by stable ids. \`k8snet explain K8N203\` prints a page. An **error** or a
**warning** makes a run end with 1; a note (**info**) and **advice**, which is about manifests, settings or kube-proxy's
design, do so only under \`--fail-on\`. These pages are generated from \`src/findings/catalogue/\` by \`npm run generate\`.

A finding that is meant can be left out: \`--ignore K8N307,K8N502\`; the annotation \`k8snet.io/ignore: K8N307\` on a Service,
its EndpointSlices, a Node or the object that the finding points at; the comment \`# k8snet:ignore K8N307\` in the YAML
document of the object, or before the first \`---\` for the whole file (\`# k8snet:ignore-file\` says so anywhere);
\`ignore: [K8N307, { id: K8N502, service: shop/web }]\` in \`k8snet.yaml\` of the working directory ([check.md](../check.md)); or
\`--baseline report.json\`, which leaves out what an earlier \`-o json\` already named.

${sections.join('\n')}`;
}

function leftOvers(): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !files.has(name)) : [];
}
