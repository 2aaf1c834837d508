import type { PageInput } from '../pageInput.ts';
import type { Answered, Answers, Asked, QuestionKind, Questions } from '../protocol.ts';

/** Asks the worker; an input is sent once, with the first question about it. */
export interface Client {
  readonly ask: <K extends QuestionKind>(input: PageInput, kind: K, question: Questions[K]) => Promise<Answers[K]>;
}

export function createClient(): Client {
  const worker = new Worker(workerUrl() as string);
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let sent: PageInput | undefined;
  worker.onmessage = ({ data }: MessageEvent<Answered>) => {
    const asker = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) asker?.reject(new Error(data.failure));
    else asker?.resolve(data.answer as never);
  };
  return {
    ask: (input, kind, question) => {
      asked += 1;
      const message: Asked<typeof kind> = { id: asked, kind, question, ...(sent !== input && { input }) };
      sent = input;
      worker.postMessage(message);
      return new Promise((resolve, reject) => waiting.set(message.id, { resolve, reject }));
    },
  };
}

interface ScriptPolicy {
  readonly createScriptURL: (url: string) => unknown;
}

/** The worker's code stands in the page as text that nobody runs there; Trusted Types let this one URL be a script. */
function workerUrl(): unknown {
  const code = document.getElementById('worker')?.textContent ?? '';
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const { trustedTypes } = globalThis as {
    readonly trustedTypes?: { createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy };
  };
  const policy = trustedTypes?.createPolicy('k8snet-worker', {
    createScriptURL: (asked) => {
      if (asked !== url) throw new TypeError('only the page’s own worker');
      return asked;
    },
  });
  return policy === undefined ? url : policy.createScriptURL(url);
}
