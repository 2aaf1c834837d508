import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from './bundleOptions.ts';

const root = join(import.meta.dirname, '..');

/**
 * Builds the page into one file that needs neither a server nor a network. A hash allows exactly its own script, so
 * nothing from an input can ever run. It is kept as `page.html.br`, a fifth of its size.
 */
export async function bundlePage(folder: string): Promise<void> {
  const [worker, script, style] = await Promise.all([
    bundled('src/page/worker/main.ts'),
    bundled('src/page/app/main.ts'),
    bundled('src/page/page.css'),
  ]);
  const page = pageText({ policy: policy(script, style), style, worker, script });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'page.html.br'), await promisify(brotliCompress)(page));
}

interface PageParts {
  readonly policy: string;
  readonly style: string;
  readonly worker: string;
  readonly script: string;
}

/** What is seen before the script runs is there already. The input comes into the element of that name later. */
function pageText({ policy, style, worker, script }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>k8snet</title>
<style>${style}</style>
</head>
<body>
<div id="app"><header class="top"><h1>k8snet</h1></header><main><p>Reading the input.</p></main></div>
<noscript>This page computes everything in the browser, by a script.</noscript>
<script type="application/json" id="input"></script>
<script type="text/plain" id="worker">${worker}</script>
<script>${script}</script>
</body>
</html>
`;
}

async function bundled(path: string): Promise<string> {
  const { outputFiles } = await build({ ...options, entryPoints: [join(root, path)] });
  return insideScript(outputFiles?.[0]?.text ?? '');
}

/** `</script` and `<!--` would end the element, or change how its end is looked for. */
function insideScript(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, '\\x3C').trim();
}

const options: BuildOptions = {
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  platform: 'browser',
  target: ['chrome110', 'firefox115', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  define: { ...bundleOptions.define, 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
};

/** Nothing is fetched, nothing is sent, nothing runs but the page's own script and the worker that it starts. */
function policy(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types k8snet-worker',
  ].join('; ');
}
