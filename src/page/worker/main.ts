import type { Answered, Asked } from '../protocol.ts';
import { answer } from './answers.ts';
import { createDesk, type Desk, type DeskMemory, deskMemory } from './desk.ts';

/** The core, apart from what is drawn: answers come back in the order of the questions. */
interface Scope {
  onmessage: ((event: { readonly data: Asked }) => void) | null;
  postMessage(message: Answered): void;
}

const scope = globalThis as unknown as Scope;
let desk: Desk | undefined;
let memory: DeskMemory | undefined;
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  last = last.then(() => reply(data));
};

async function reply({ id, kind, question, input }: Asked): Promise<void> {
  try {
    memory ??= await deskMemory();
    if (input !== undefined) desk = createDesk(input, memory);
    if (desk === undefined) return;
    scope.postMessage({ id, answer: await answer(desk, kind, question) });
  } catch (error) {
    scope.postMessage({
      id,
      failure: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error),
    });
  }
}
