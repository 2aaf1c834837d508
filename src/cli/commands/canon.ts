import { Command, Option } from 'commander';
import { addTalkOptions, type TalkOptions } from '../commonOptions.ts';
import { exitCodes } from '../exitCodes.ts';
import { readNodeDump } from '../readNodeDump.ts';
import type { SetExitCode } from '../setExitCode.ts';
import { talk } from '../talk.ts';
import { writeOut } from '../writeOut.ts';

type CanonOptions = TalkOptions & { readonly family: 'ipv4' | 'ipv6' | 'both' };

/** `k8snet canon`: a dump in its one form. */
export function canonCommand(setExitCode: SetExitCode): Command {
  const command = new Command('canon')
    .summary('print a dump in its one form')
    .description(
      'Prints a dump without what means nothing: counters, dates, spelling, the order of tables and chains. Dumps of other tools and versions that say the same print the same.',
    )
    .argument('<dump...>', 'files or folders of one node, also one that collect filled, or - for standard input')
    .addOption(
      new Option('--family <family>', 'family of dumps that do not show it')
        .choices(['ipv4', 'ipv6', 'both'])
        .default('both'),
    );
  addTalkOptions(command);
  return command.addHelpText('after', examples).action(async (dumps: readonly string[], options: CanonOptions) => {
    setExitCode(await canonAction(dumps, options));
  });
}

async function canonAction(paths: readonly string[], options: CanonOptions): Promise<number> {
  const said = talk(options);
  const sources = { textOf: () => undefined, formatOf: () => 'none' as const };
  const dump = readNodeDump(paths, options.family, said.report);
  if (dump !== undefined) {
    const [{ canonicalText }, { escapeText }] = await Promise.all([
      import('../../node/canonicalText.ts'),
      import('../../common/escapeText.ts'),
    ]);
    for (const { file, line, text, message } of dump.unread) {
      said.report({
        code: 'unread-line',
        severity: 'warning',
        message: `${file}:${line}: ${message}: ${escapeText(text)}`,
        at: [],
      });
    }
    writeOut(escapedLines(canonicalText(dump), escapeText));
  }
  await said.flush(sources);
  return dump === undefined ? exitCodes.badInput : exitCodes.ok;
}

const layout = /^[\n\t]$/;

/** Rules come from a stranger's text: whatever could play with the terminal is shown as an escape. */
function* escapedLines(pieces: Iterable<string>, escapeText: (text: string) => string): Iterable<string> {
  for (const piece of pieces) {
    yield isPlain.test(piece)
      ? piece
      : piece
          .split(/([\n\t])/)
          .map((part) => (layout.test(part) ? part : escapeText(part)))
          .join('');
  }
}

/** Nearly every piece: then there is nothing to look for in its lines. */
const isPlain = /^[\n\t\x20-\x7e]*$/;

const examples = `
Examples:
  k8snet canon node1.save
  iptables -S -t nat | k8snet canon -
  diff <(k8snet canon old.save) <(k8snet canon new.save)

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
