import { writeOut } from '../write/writeOut.ts';
import { answerText } from './answerText.ts';
import { askedCompletion } from './askedCompletion.ts';
import { builtTable } from './builtTable.ts';
import { completionAtOnce } from './completionOf.ts';

/**
 * Answers a key in a shell from the table of commands that the build has written: none of them is loaded. False: names
 * from the input are wanted, or this is not a build, and `answerWithInput.ts` must answer.
 */
export function answerAtOnce(argv: readonly string[]): boolean {
  const table = builtTable();
  if (table === undefined) return false;
  const asked = askedCompletion(argv, process.env.HOME);
  const completion = completionAtOnce(table, asked.words, asked.current);
  if (completion === undefined) return false;
  writeOut([answerText(completion, asked)]);
  return true;
}
