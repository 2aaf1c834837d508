// Writes what the catalogues of problems say: docs/diagnostics.md, docs/causes.md, docs/mode-changes.md and docs/findings/.
// `--check` only tells whether they are up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProblemKind, problemsOf } from '../src/problems/problemCatalogue.ts';
import { findingMarkdown, problemSection } from '../src/problems/problemMarkdown.ts';
import { type ProblemPage, problemPage } from '../src/problems/problemPage.ts';

const docs = join(import.meta.dirname, '../docs');

const diagnosticsIntro = `# Diagnostics

Every problem that k8snet reports has a code. An **error** stops the run before anything is written (exit code 2); a
**warning** and a **note** do not. This page is generated from \`src/problems/catalogue/diagnostics.ts\` by \`npm run generate\`.

\`\`\`
shop/b.yaml:31:14 error duplicate-cluster-ip: shop/b:http has the cluster IP and port of shop/a:http: 10.96.0.10:80/tcp
  31 |   clusterIP: 10.96.0.10          spec.clusterIP
     |              ^^^^^^^^^^
shop/a.yaml:9:14 also here: Service shop/a
  hint: leave spec.clusterIP out and let one be assigned
\`\`\`

As JSON a diagnostic has \`code\`, \`severity\`, \`message\`, \`at\` (its places: \`file\`, \`document\` counted from 0, \`path\` as an
array, \`line\`, \`column\` and \`endColumn\` counted from 1, \`object\`), and where there is one \`path\` as text and \`hint\`.
`;

const causesIntro = `# Causes

Why a packet does not arrive (\`k8snet why\`, [trace.md](trace.md)), or why a Service does not work (\`k8snet check-service\`,
[check-service.md](check-service.md)), by code. \`k8snet explain no-kube-proxy\` prints one. \`no-endpoints\` is a
[diagnostic](diagnostics.md#no-endpoints) too. This page is generated from \`src/problems/catalogue/causes.ts\` by
\`npm run generate\`.
`;

const changesIntro = `# Differences that modes are known for

\`k8snet migrate\`, \`convert --check\` and \`diff --compare behaviour\` group what changes from one mode of kube-proxy to another by
these codes ([behaviour.md](behaviour.md)). \`k8snet explain node-port-localhost\` prints one. This page is generated from
\`src/problems/catalogue/modeChanges.ts\` by \`npm run generate\`.
`;

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

const findings = pagesOf('finding');
const files = new Map([
  ['diagnostics.md', diagnosticsIntro + sectionsOf('diagnostic')],
  ['causes.md', causesIntro + sectionsOf('cause')],
  ['mode-changes.md', changesIntro + sectionsOf('change')],
  ...findings.map((page): [string, string] => [`findings/${page.code}.md`, findingMarkdown(page)]),
  ['findings/README.md', findingsIndex()],
]);

if (process.argv.includes('--check')) {
  const stale = [...files].filter(
    ([name, text]) => !existsSync(join(docs, name)) || readFileSync(join(docs, name), 'utf8') !== text,
  );
  const names = [...stale.map(([name]) => name), ...leftOvers()];
  if (names.length > 0) {
    console.error(`docs are out of date (${names.join(', ')}): run \`npm run generate\``);
    process.exitCode = 1;
  }
} else {
  mkdirSync(join(docs, 'findings'), { recursive: true });
  for (const name of leftOvers()) rmSync(join(docs, name));
  for (const [name, text] of files) writeFileSync(join(docs, name), text);
}

function pagesOf(kind: ProblemKind): readonly ProblemPage[] {
  return problemsOf(kind).map(({ code }) => problemPage(code) as ProblemPage);
}

function sectionsOf(kind: ProblemKind): string {
  return pagesOf(kind)
    .map((page) => `\n${problemSection(page)}`)
    .join('');
}

function findingsIndex(): string {
  const sections = Object.entries(groups).map(([digit, title]) => {
    const rows = findings
      .filter(({ code }) => code.startsWith(`K8N${digit}`))
      .map(
        ({ code, severity, title: what, isAdvice }) =>
          `| [${code}](${code}.md) | ${severity}${isAdvice ? ', advice' : ''} | ${what} |`,
      );
    return `## ${title}\n\n| id | severity | what |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Findings

What \`k8snet diff\` and \`k8snet doctor\` can find, by stable ids. \`k8snet explain K8N203\` prints a page. An **error** or a
**warning** makes a run end with 1; a note (**info**) and **advice**, which is about manifests, settings or kube-proxy's
design, do so only under \`--fail-on\`. These pages are generated from \`src/problems/catalogue/\` by \`npm run generate\`.

One update that kube-proxy lost changes many chains. \`diff\` names it once, and shows the rules of the other chains under it.

A finding that is meant can be left out: \`--ignore K8N307,K8N502\`; the annotation \`k8snet.io/ignore: K8N307\` on a Service,
its EndpointSlices, a Node or the object that the finding points at; the comment \`# k8snet:ignore K8N307\` in the YAML
document of the object, or before the first \`---\` for the whole file (\`# k8snet:ignore-file\` says so anywhere);
\`ignore: [K8N307, { id: K8N502, service: shop/web }]\` in \`k8snet.yaml\` of the working directory ([check.md](../check.md)); or
\`--baseline report.json\`, which leaves out what an earlier \`-o json\` already named.

${sections.join('\n')}`;
}

function leftOvers(): readonly string[] {
  const folder = join(docs, 'findings');
  return existsSync(folder)
    ? readdirSync(folder)
        .map((name) => `findings/${name}`)
        .filter((name) => !files.has(name))
    : [];
}
