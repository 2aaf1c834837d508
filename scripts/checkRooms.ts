// Fails where a file of src/ imports what its room must not know, or where files import each other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importCycles } from './importCycles.ts';
import { roomProblems } from './rooms.ts';

const root = join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);
const texts = new Map(files.map((name) => [`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')]));
const problems = [...texts].flatMap(([file, text]) => roomProblems(file, text));
problems.push(...importCycles(texts).map((cycle) => `files import each other: ${cycle}`));
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
