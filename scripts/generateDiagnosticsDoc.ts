// Writes docs/diagnostics.md from the catalogue; `--check` only tells whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, type DiagnosticKind } from '../src/diagnostics/catalogue.ts';

const file = join(import.meta.dirname, '../docs/diagnostics.md');

const intro = `# Diagnostics

Every problem that k8snet reports has a code. An **error** stops the run before anything is written (exit code 2); a
**warning** and a **note** do not. This page is generated from \`src/diagnostics/catalogue.ts\` by \`npm run generate\`.

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

const entries = Object.entries<DiagnosticKind>(catalogue);
const sections = entries.map(
  ([code, { severity, summary, remedy }]) => `\n## ${code}\n\n*${severity}* — ${summary}\n\n${remedy}\n`,
);
const text = intro + sections.join('');

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/diagnostics.md is out of date: run `npm run generate`');
  process.exitCode = 1;
}
