import type { CommandTable } from './completion/commandTable.ts';
import { withEachFile } from './objects/withEachFile.ts';
import { createProgram } from './program.ts';
import { version } from './version.ts';
import { serviceWords } from './words/serviceWords.ts';
import { endedUnread } from './write/endUnread.ts';
import { exitCodes } from './write/exitCodes.ts';
import { saysUnwritten, writeError, writeOut } from './write/writeOut.ts';

/** Runs one command line and gives its exit code; nothing is thrown. */
export async function run(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.ok;
  try {
    if (isForPrograms(argv[0])) {
      await answerProgram(argv);
      return code;
    }
    const words = wordsOf(argv);
    const program = await createProgram(words, (value) => {
      code = value;
    });
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (saysUnwritten(error)) return exitCodes.cannotWrite;
    if (endedUnread(error)) return exitCodes.unread;
    const ended = commanderExit(error);
    if (ended !== undefined) return ended === 0 ? exitCodes.ok : exitCodes.badInput;
    writeError(bugReport(error));
    return exitCodes.bug;
  }
}

/** Missing in all help pages: requests of shells for completion, and of the build. */
function isForPrograms(word: string | undefined): boolean {
  return ['__complete', '__commands', '__manuals', '__judge', '__judgeOwn'].includes(word ?? '');
}

async function answerProgram([word, ...rest]: readonly string[]): Promise<void> {
  if (word === '__judge') {
    await (await import('./fleet/judge/judgeThread.ts')).judgeThread();
  } else if (word === '__judgeOwn') {
    (await import('../agent/judge/judgeThread.ts')).judgeThread();
  } else if (word === '__complete') {
    const [{ answerWithInput }, { builtTable }] = await Promise.all([
      import('./completion/answerWithInput.ts'),
      import('./completion/builtTable.ts'),
    ]);
    await answerWithInput(rest, builtTable() ?? (await tableOfProgram()));
  } else if (word === '__commands') {
    writeOut([`${JSON.stringify(await tableOfProgram())}\n`]);
  } else {
    const { manualPages } = await import('./manual/manualPages.ts');
    const pages = manualPages(await createProgram([], () => {}), rest[0] ?? '');
    writeOut([`${JSON.stringify(Object.fromEntries(pages))}\n`]);
  }
}

/** Loads every command. */
async function tableOfProgram(): Promise<CommandTable> {
  const { tableOfCommands } = await import('./completion/tableOfCommands.ts');
  return tableOfCommands(await createProgram([], () => {}));
}

/**
 * `help policy test` is `policy test --help`: commander itself only looks at one word, and at no typing error in it.
 */
function wordsOf(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  return first === 'help' && rest.length > 0 ? [...rest, '--help'] : serviceWords(withEachFile(argv));
}

/**
 * The exit code for one of commander's errors, recognized by its `code`: commands in separate bundles have separate
 * classes.
 */
function commanderExit(error: unknown): number | undefined {
  const { code, exitCode } = (error ?? {}) as { readonly code?: unknown; readonly exitCode?: unknown };
  return typeof code === 'string' && code.startsWith('commander.') && typeof exitCode === 'number'
    ? exitCode
    : undefined;
}

function bugReport(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    'k8snet: this is a bug of k8snet, not of your input. Please report it with the text below and, if you can, the input.',
    `k8snet ${version}, ${engine()}, ${process.platform} ${process.arch}`,
    trace,
    '',
  ].join('\n');
}

/** Single executables have their own engine, which says which Node it claims to be. */
function engine(): string {
  const { bun } = process.versions as { readonly bun?: string };
  return bun === undefined ? `Node ${process.version}` : `Bun ${bun}`;
}
