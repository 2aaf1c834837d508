import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Mutant, type MutantKind, mutantKinds } from './mutants/mutant.ts';
import { mutantsOf } from './mutants/mutantsOf.ts';
import { runTestFile, type TestRun } from './mutants/runTestFile.ts';
import { type ScratchProject, scratchProject } from './mutants/scratchProject.ts';

/**
 * Breaks each detector, and says which of them can break without a test that fails. Arguments are parts of the places of
 * mutants, `checks/chains` or `markChecks.ts:11`; without one all detectors are broken. `--kinds=nothing,negated` chooses from `mutantKinds` (`nothing`, `part` and `unsaid`
 * unless said otherwise), `--every=5` takes every fifth mutant, `--tests=WORD,WORD` chooses test files by their paths,
 * `--most=60` is how many seconds of tests one mutant is worth, `--list` runs nothing. One process runs at a time.
 */
const root = join(import.meta.dirname, '..');
const given = process.argv.slice(2);
const words = given.filter((word) => !word.startsWith('--'));
const kinds = new Set((option('kinds') ?? 'nothing,part,unsaid').split(',') as MutantKind[]);
const every = Number(option('every') ?? 1);
const most = Number(option('most') ?? 60);

/** Where detectors are: what finds something, and what reads facts off rules. */
const detectorPaths = /^src\/(?:findings|objects|seen|why|aid|pipeline\/lint\.ts)/;

/** Where tests of theirs are; those of kernels and clusters take too long, and judge something else. */
const testPaths =
  /^test\/(?:findings|objects|seen|why|aid|pipeline|diff|doctor|import|healthy|report|pasted|posts|problems|check|api|behaviour)\//;

const mutants = filesIn('src')
  .filter((file) => detectorPaths.test(file))
  .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  .filter((mutant) => kinds.has(mutant.kind) && isChosen(placeOf(mutant), words))
  .filter((_, at) => at % every === 0);
if (given.includes('--list')) for (const mutant of mutants) console.log(placeOf(mutant));
else process.exitCode = await breakAll();
console.log(`${mutants.length} mutants in ${new Set(mutants.map(({ file }) => file)).size} files`);

async function breakAll(): Promise<number> {
  const tests = filesIn('test').filter(
    (file) => file.endsWith('.test.ts') && testPaths.test(file) && isChosen(file, option('tests')?.split(',') ?? []),
  );
  const project = await scratchProject(mutants, tests);
  const runs = new Map(tests.map((file) => [file, runTestFile(project, file)] as const));
  for (const [file, { passes }] of runs) if (!passes) console.log(`left out, it fails by itself: ${file}`);
  const counts = { noticed: 0, survived: 0, unreached: 0 };
  const lastNoticed = new Map<string, string>();
  for (const [id, mutant] of mutants.entries()) {
    const near = testsOf(id, mutant, runs, lastNoticed.get(mutant.file));
    const by = noticedBy(project, id, near);
    if (by !== undefined) {
      counts.noticed += 1;
      lastNoticed.set(mutant.file, by);
      continue;
    }
    counts[near.length === 0 ? 'unreached' : 'survived'] += 1;
    console.log(
      `${near.length === 0 ? 'no test reaches it' : `survives ${near.length} test files`}: ${placeOf(mutant)}`,
    );
  }
  console.log(`noticed ${counts.noticed}, survived ${counts.survived}, reached by no test ${counts.unreached}`);
  return counts.survived + counts.unreached === 0 ? 0 : 1;
}

type Run = readonly [file: string, run: TestRun];

/** The test files that reach a mutant, those first that are most likely to see it, as many as the time allows. */
function testsOf(id: number, { file }: Mutant, runs: ReadonlyMap<string, TestRun>, last?: string): readonly Run[] {
  const name = basename(file, '.ts');
  const room = file.split('/')[1];
  // A test that reaches little else is about it.
  const rank = ([test, { seconds, reached }]: Run) => {
    if (test === last || test.includes(`/${name}.`)) return 0;
    return (1 + seconds) * (1 + reached.size / mutants.length) * (test.startsWith(`test/${room}/`) ? 1 : 4);
  };
  const reaching = [...runs].filter(([, { passes, reached }]) => passes && reached.has(id));
  let left = most;
  return reaching
    .sort((a, b) => rank(a) - rank(b))
    .filter(([, run], at) => {
      if (at > 0 && run.seconds > left) return false;
      left -= run.seconds;
      return true;
    });
}

function noticedBy(project: ScratchProject, id: number, near: readonly Run[]): string | undefined {
  return near.find(([file, { seconds }]) => !runTestFile(project, file, id, 30 + seconds * 10).passes)?.[0];
}

function placeOf({ file, line, kind, within }: Mutant): string {
  return `${file}:${line} ${within}: ${mutantKinds[kind]}`;
}

function option(name: string): string | undefined {
  return given.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}

function isChosen(place: string, chosen: readonly string[]): boolean {
  return chosen.length === 0 || chosen.some((word) => place.includes(word));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)
    .sort();
}
