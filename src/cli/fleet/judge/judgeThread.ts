import { parentPort, workerData } from 'node:worker_threads';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import type { ThreadReply, ThreadTask } from '../threads/threadTask.ts';

/**
 * Answers requests of the run that started this thread, until it is ended. As a separate program it has nobody to
 * answer.
 */
export async function judgeThread(): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const say = (reply: ThreadReply<unknown, unknown>) => port.postMessage(reply);
  const { opened, answer } = await openTask(workerData as ThreadTask);
  port.on('message', (question: FleetEntry) => {
    answer(question).then(
      (given) => say({ kind: 'answer', answer: given }),
      (error: unknown) => {
        const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
        say({ kind: 'failed', at: question.at, trace: `${question.given}: ${trace}` });
      },
    );
  });
  say({ kind: 'opened', opened });
}

interface OpenTask {
  readonly opened: unknown;
  readonly answer: (question: FleetEntry) => Promise<unknown>;
}

async function openTask(task: ThreadTask): Promise<OpenTask> {
  if (task.kind === 'compile') {
    const { openCompiler } = await import('../threads/openCompiler.ts');
    return { opened: undefined, answer: await openCompiler(task.task) };
  }
  const [{ openJudge }, { openedText }] = await Promise.all([
    import('./openJudge.ts'),
    import('../entries/openedText.ts'),
  ]);
  const judge = await openJudge(task.command);
  return { opened: await openedText(judge, task.command.options), answer: judge.answer };
}
