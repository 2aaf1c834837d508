import { type SharedWork, shareWork } from '../../public/core.ts';
import type { Answered, Asked } from '../protocol.ts';
import { answer } from './answers.ts';
import { createDesk, type Desk } from './desk.ts';

/** The core, apart from what is drawn: answers come back in the order of the questions. */
interface Scope {
  onmessage: ((event: { readonly data: Asked }) => void) | null;
  postMessage(message: Answered): void;
}

const scope = globalThis as unknown as Scope;
let desk: Desk | undefined;
let work: SharedWork | undefined;
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  last = last.then(() => reply(data));
};

async function reply({ id, kind, question, input }: Asked): Promise<void> {
  try {
    work ??= await shareWork({ repeatsProblems: true });
    if (input !== undefined) desk = createDesk(input, work);
    if (desk === undefined) return;
    scope.postMessage({ id, answer: await answer(desk, kind, question) });
  } catch (error) {
    scope.postMessage({
      id,
      failure: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error),
    });
  }
}
