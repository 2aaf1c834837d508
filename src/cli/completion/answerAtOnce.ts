import { writeOut } from '../write/writeOut.ts';
import { answerText } from './answerText.ts';
import { askedCompletion } from './askedCompletion.ts';
import { builtTable } from './builtTable.ts';
import { completionAtOnce } from './completionOf.ts';

/**
 * Answers a key pressed in a shell with what the build has written down of the commands: none of them is loaded. False:
 * names of the input are wanted, or this is no build, and `answerWithInput.ts` has to answer.
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
