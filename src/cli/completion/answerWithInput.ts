import { writeOut } from '../write/writeOut.ts';
import { answerText } from './answerText.ts';
import { askedCompletion } from './askedCompletion.ts';
import type { CommandTable } from './commandTable.ts';
import { completionOf } from './completionOf.ts';
import { inputNames } from './inputNames.ts';

/** Answers with names from the input too. */
export async function answerWithInput(argv: readonly string[], table: CommandTable): Promise<void> {
  const asked = askedCompletion(argv, process.env.HOME);
  const completion = await completionOf(table, asked.words, asked.current, inputNames);
  writeOut([answerText(completion, asked)]);
}
