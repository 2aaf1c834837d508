import { exitCodes } from './exitCodes.ts';
import { createProgram } from './program.ts';
import { version } from './version.ts';
import { saysUnwritten, writeError } from './writeOut.ts';

/** Runs one command line and gives its exit code; nothing is thrown. */
export async function run(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.ok;
  try {
    const words = wordsOf(argv);
    const program = await createProgram(words, (value) => {
      code = value;
    });
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (saysUnwritten(error)) return exitCodes.cannotWrite;
    const ended = commanderExit(error);
    if (ended !== undefined) return ended === 0 ? exitCodes.ok : exitCodes.badInput;
    writeError(bugReport(error));
    return exitCodes.bug;
  }
}

/** `help policy test` is `policy test --help`: commander itself looks at one word only, and at no typing error in it. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  return first === 'help' && rest.length > 0 ? [...rest, '--help'] : withEachFile(argv);
}

/** `-f *.yaml` reaches us as `-f a.yaml b.yaml`: manifests behind a path of -f, up to the next option, are its paths too. */
function withEachFile(argv: readonly string[]): readonly string[] {
  let isOpen = false;
  return argv.flatMap((word, at) => {
    const isPath = argv[at - 1] === '-f' || argv[at - 1] === '--filename';
    if (isPath || word.startsWith('-')) {
      isOpen = isPath;
      return [word];
    }
    return isOpen && /\.ya?ml$/.test(word) ? ['-f', word] : [word];
  });
}

/** The exit code of an error of commander's, told by its `code`: commands in bundles of their own have classes of their own. */
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
    `k8snet ${version}, Node ${process.version}, ${process.platform} ${process.arch}`,
    trace,
    '',
  ].join('\n');
}
