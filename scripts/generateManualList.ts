import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manualPages } from '../src/cli/manual/manualPages.ts';
import { createProgram } from '../src/cli/program.ts';

/** Lists the manual pages in package.json, where npm looks for them: one for each command. `--check` compares. */
const file = join(import.meta.dirname, '../package.json');
const text = readFileSync(file, 'utf8');
const program = await createProgram([], () => {});
const man = [...manualPages(program, '1970-01-01').keys()].map((name) => `./dist/man/${name}.1.gz`);
const listed = `${JSON.stringify({ ...JSON.parse(text), man }, null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, listed);
else if (listed !== text) {
  console.error('package.json lacks manual pages: npm run generate');
  process.exitCode = 1;
}
