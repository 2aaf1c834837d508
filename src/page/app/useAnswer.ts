import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { PageInput } from '../pageInput.ts';
import type { Answers, QuestionKind, Questions } from '../protocol.ts';
import type { Client } from './client.ts';

export const Asker = createContext<{ readonly client: Client; readonly input: PageInput } | undefined>(undefined);

/** The newest answer that has come, and whether it is that to the question as it stands. */
export interface Given<A> {
  readonly answer: A | undefined;
  readonly isCurrent: boolean;
  readonly failure: string | undefined;
}

/**
 * Asks again when the input or the question changes: one question at a time, then the newest. Undefined: nothing is asked.
 * `quiet`: milliseconds that the input has to stay the same first.
 */
export function useAnswer<K extends QuestionKind>(
  kind: K,
  question: Questions[K] | undefined,
  quiet = 0,
): Given<Answers[K]> {
  const asker = useContext(Asker);
  const key = JSON.stringify(question);
  const [given, setGiven] = useState<Kept<Answers[K]>>({});
  const line = useRef<{ isBusy: boolean; next: (() => void) | undefined }>({ isBusy: false, next: undefined });
  const input = asker?.input;
  useEffect(() => {
    if (asker === undefined || input === undefined || question === undefined) return;
    const done = (result: Kept<Answers[K]>) => {
      setGiven({ ...result, input, key });
      line.current.isBusy = false;
      line.current.next?.();
    };
    const ask = () => {
      line.current = { isBusy: true, next: undefined };
      asker.client.ask(input, kind, question).then(
        (answer) => done({ answer }),
        (error: Error) => done({ failure: error.message }),
      );
    };
    const start = () => {
      if (line.current.isBusy) line.current.next = ask;
      else ask();
    };
    if (quiet === 0) {
      start();
      return;
    }
    const timer = setTimeout(start, quiet);
    return () => clearTimeout(timer);
  }, [input, kind, key]);
  return { answer: given.answer, isCurrent: given.input === input && given.key === key, failure: given.failure };
}

/** An answer with what it is the answer to. */
interface Kept<A> {
  readonly input?: PageInput;
  readonly key?: string | undefined;
  readonly answer?: A;
  readonly failure?: string;
}
