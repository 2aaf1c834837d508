import type { Command } from 'commander';
import { writeOut } from '../write/writeOut.ts';
import { answerText } from './answerText.ts';
import { askedCompletion } from './askedCompletion.ts';
import { completionOf } from './completionOf.ts';
import { inputNames } from './inputNames.ts';
import { tableOfCommands } from './tableOfCommands.ts';

/** Answers with names of the input too; `program` has all commands. */
export async function answerWithInput(argv: readonly string[], program: Command): Promise<void> {
  const asked = askedCompletion(argv, process.env.HOME);
  const completion = await completionOf(tableOfCommands(program), asked.words, asked.current, inputNames);
  writeOut([answerText(completion, asked)]);
}
