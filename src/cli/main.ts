import { version } from './version.ts';
import { exitCodes } from './write/exitCodes.ts';
import { saysUnwritten, writeOut } from './write/writeOut.ts';

/**
 * The process: argv to command to exit code. `--version` answers before anything else is loaded; everything else is in
 * `program.ts`.
 */
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  try {
    writeOut([`${version}\n`]);
  } catch (error) {
    if (!saysUnwritten(error)) throw error;
    process.exitCode = exitCodes.cannotWrite;
  }
} else {
  void answer();
  // A process may end halfway with nothing left to wait for. This comes late because commander ends with the code that
  // it finds.
  process.once('exit', () => {
    process.exitCode ??= exitCodes.bug;
  });
}

async function answer(): Promise<void> {
  if (argv[0] === '__complete') {
    const { answerAtOnce } = await import('./completion/answerAtOnce.ts');
    if (answerAtOnce(argv.slice(1))) {
      process.exitCode = exitCodes.ok;
      return;
    }
  }
  const { run } = await import('./run.ts');
  process.exitCode = await run(argv);
}
