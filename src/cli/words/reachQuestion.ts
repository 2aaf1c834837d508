import { existsSync } from 'node:fs';
import type { ReachOptions } from '../../behaviour/reach/reach.ts';
import { readParty } from '../../trace/question/readParty.ts';
import { nodeOfWord } from '../dumps/nodeWords.ts';

/** The restriction of reach's table. */
export type ReachQuestion = Pick<ReachOptions, 'service' | 'to'>;

/** Words of the command line: at most one Service or address, and dumps. A text: what is wrong with them. */
export function readReachQuestion(
  words: readonly string[],
): { readonly question: ReachQuestion; readonly dumps: readonly string[] } | string {
  const questions: ReachQuestion[] = [];
  const dumps: string[] = [];
  for (const word of words) {
    const question = questionOf(word);
    if (typeof question === 'string') return question;
    if (question === undefined) dumps.push(word);
    else questions.push(question);
  }
  if (questions.length > 1) return 'one Service or address at a time';
  return { question: questions[0] ?? {}, dumps };
}

/** `svc/shop/web`, `svc/web` (of namespace default), `10.96.0.10:80`; undefined: a dump. */
function questionOf(word: string): ReachQuestion | string | undefined {
  const party = readParty(word);
  if (/^(?:svc|services?)\//.test(word) && !existsSync(word)) {
    return party?.kind === 'object'
      ? { service: party.port === undefined ? party.name : `${party.name}:${party.port}` }
      : `${word}: a Service is written svc/NAMESPACE/NAME, or svc/NAMESPACE/NAME:PORT`;
  }
  if (existsSync(word) || nodeOfWord(word) !== undefined) return undefined;
  if (/^[a-z0-9-]+\/[a-z0-9-]+(?::[a-z0-9-]+)?$/.test(word))
    return `${word}: no such file; a Service is written svc/${word}`;
  if (party?.kind !== 'address') return undefined;
  return { to: { address: party.address, port: party.port } };
}
