// Fails where a file of src/ imports what its room must not know.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roomProblems } from './rooms.ts';

const root = join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);
const problems = files.flatMap((name) => roomProblems(`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')));
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
